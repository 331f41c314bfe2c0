import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  admit,
  admitRotating,
  demandSecrets,
  type Intake,
  type ProofPolicy,
  provenSecret,
} from '../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'
import type { RotatingKeys } from '../../../lib/webhooks/rotating-keys.ts'
import type { Headers } from '../../../lib/webhooks/schemes/scheme.ts'
import { paymentSource } from '../../../lib/webhooks/sources/payment.ts'
import type { SharedSecret } from '../../../lib/webhooks/verify.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { signedCall } from '../../support/signed-call.ts'

const SECRET = 'shared secret'
const BODY = Buffer.from('{"a":1}')
const RIGHT = createHmac('sha256', SECRET).update(BODY).digest('hex')
const WRONG = '0'.repeat(64)
const LATE = String(START.getTime() / 1000 - 301)
const RIGHT_BUT_LATE = createHmac('sha256', SECRET).update(`${LATE}.`).update(BODY).digest('hex')

type Given = Parameters<typeof provenSecret>
const admitted = (...[sender, call, intake]: Given) =>
  admit(sender, call, demandSecrets(sender, call.headers, intake), intake)
const rotating = (...[sender, call, intake]: Given) =>
  admitRotating(sender, call, demandSecrets(sender, call.headers, intake), intake, {
    network: '192.0.2.1',
    pay: async () => undefined,
  })

function intakeWith(policy: ProofPolicy, names: readonly string[] = ['payment', 'stripe']) {
  const log = recordingLog()
  const intake: Intake = {
    baseUrl: new URL('https://hooks.example.com'),
    secrets: { current: new Map(names.map((name) => [name, [{ value: SECRET }]])) },
    toleranceSeconds: undefined,
    maxBodyBytes: 1000,
    proofOf: () => policy,
    clock: fixedClock(),
    audit: logAudit(log),
  }
  return { intake, log }
}

describe('a call is admitted', () => {
  it.each<[string, ProofPolicy, Headers]>([
    ['with the right signature, if one is required', 'required', { 'x-signature': RIGHT }],
    ['unsigned, if a signature is optional', 'if-sent', {}],
    ['with only a timestamp, if a signature is optional', 'if-sent', { 'x-timestamp': LATE }],
    ['with a wrong signature, if none is checked', 'unchecked', { 'x-signature': WRONG }],
  ])('%s', (_, policy, headers) => {
    const { intake, log } = intakeWith(policy)
    expect(admitted(paymentSource, signedCall(headers, BODY), intake).body).toBe(BODY)
    expect(log.entries).toEqual([])
  })
})

it('a call in the name of the service itself is refused, whatever is checked, and whatever secret it proves', () => {
  const own = { ...paymentSource, name: 'gatehouse' }
  for (const policy of ['required', 'if-sent', 'unchecked'] as const) {
    const { intake } = intakeWith(policy, ['gatehouse'])
    const call = signedCall({ 'x-signature': RIGHT }, BODY)
    expect(() => admitted(own, call, intake)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
  }
})

describe('a body of more than 1,000 members', () => {
  const many = Buffer.from(`{${Array.from({ length: 1001 }, (_, name) => `"n${name}":1`).join()}}`)
  const signature = createHmac('sha256', SECRET).update(many).digest('hex')

  it('is too large if it is unsigned, because a stranger may have sent it', () => {
    const { intake } = intakeWith('if-sent')
    expect(() => admitted(paymentSource, signedCall({}, many), intake)).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    )
  })

  it('is admitted if it is signed', () => {
    const { intake } = intakeWith('if-sent')
    expect(admitted(paymentSource, signedCall({ 'x-signature': signature }, many), intake).body).toBe(many)
  })
})

describe('a call of a provider with rotating keys', () => {
  const plaid = { name: 'plaid', scheme: PROVIDERS.plaid.scheme }
  const unasked: RotatingKeys = {
    secretsFor: () => {
      throw new Error('no key is wanted')
    },
    confirm: async () => undefined,
  }

  it('is verified at once if its provider has no such keys, without a request for a key', () => {
    const { intake } = intakeWith('required')
    const call = signedCall({ 'x-signature': RIGHT }, BODY)
    expect(rotating(paymentSource, call, { ...intake, keys: unasked })).toMatchObject({ body: BODY })
  })

  it.each<[string, ProofPolicy, readonly string[], Headers, string]>([
    ['without a signature', 'required', ['plaid'], {}, 'no-readable-signature'],
    ['with half of a signature', 'required', ['plaid'], { 'plaid-verification': 'a.b' }, 'no-readable-signature'],
  ])('is refused before a request for a key: %s', (_, policy, names, headers, reason) => {
    const { intake, log } = intakeWith(policy, names)
    const call = () => rotating(plaid, signedCall(headers, BODY), { ...intake, keys: unasked })
    expect(call).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'plaid', reason }])
  })

  it('causes a request for keys only with valid secrets', () => {
    const { intake } = intakeWith('required')
    const [early, good] = [{ value: 'a', notBefore: new Date(START.getTime() + 1) }, { value: 'b' }]
    let asked: readonly SharedSecret[] = []
    const keys: RotatingKeys = {
      ...unasked,
      secretsFor(_source, _rotation, _call, secrets) {
        asked = secrets
        return []
      },
    }
    const secrets = { current: new Map([['plaid', [early, good]]]) }
    const call = signedCall({ 'plaid-verification': 'AAAA.AAAA.AAAA' }, BODY)
    expect(() => rotating(plaid, call, { ...intake, secrets, keys })).toThrow()
    expect(asked).toEqual([good])
  })
})

describe('the secret that a call proves', () => {
  const call = signedCall({ 'x-signature': RIGHT }, BODY)
  const withSecrets = (...values: readonly string[]): Intake => ({
    ...intakeWith('required').intake,
    secrets: { current: new Map([['payment', values.map((value) => ({ value }))]]) },
  })

  it('is the secret of its signature', () => {
    expect(provenSecret(paymentSource, call, withSecrets('before', SECRET, 'after'))).toEqual({ value: SECRET })
  })

  it('is none of the others, and undefined for a source without secrets', () => {
    expect(provenSecret(paymentSource, call, withSecrets('before', 'after'))).toBeUndefined()
    expect(provenSecret(paymentSource, call, intakeWith('required', ['stripe']).intake)).toBeUndefined()
  })
})

describe('a call is refused', () => {
  it.each<[string, ProofPolicy, Headers, string, string]>([
    [
      'with a wrong signature, although none is required',
      'if-sent',
      { 'x-signature': WRONG },
      'SIGNATURE_INVALID',
      'wrong-signature',
    ],
    [
      'with an empty signature, although none is required',
      'if-sent',
      { 'x-signature': '' },
      'SIGNATURE_INVALID',
      'no-readable-signature',
    ],
    [
      'with the right signature, too late',
      'if-sent',
      { 'x-signature': RIGHT_BUT_LATE, 'x-timestamp': LATE },
      'TIMESTAMP_OUTSIDE_WINDOW',
      'too-old',
    ],
  ])('%s', (_, policy, headers, code, reason) => {
    const { intake, log } = intakeWith(policy)
    expect(() => admitted(paymentSource, signedCall(headers, BODY), intake)).toThrow(expect.objectContaining({ code }))
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'payment', reason }])
  })

  it('without a secret for its source, like a bad signature', () => {
    const { intake, log } = intakeWith('required', ['stripe'])
    const call = signedCall({ 'x-signature': RIGHT }, BODY)
    expect(() => admitted(paymentSource, call, intake)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'payment', reason: 'no-secret' }])
  })
})
