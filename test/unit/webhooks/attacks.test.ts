import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../lib/errors.ts'
import { admit, demandSecrets, type Intake } from '../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { provider as githubSource } from '../../../lib/webhooks/providers/github.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import { provider as stripeSource } from '../../../lib/webhooks/providers/stripe.ts'
import type { Headers } from '../../../lib/webhooks/schemes/scheme.ts'
import type { EventSource } from '../../../lib/webhooks/source.ts'
import type { SharedSecret } from '../../../lib/webhooks/verify.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MINUTE, sourceOf } from '../../support/fakes/webhooks.ts'
import { signedCall } from '../../support/signed-call.ts'

const SECRET = 'shared secret'
const NOW = START.getTime() / 1000
const BODY = '{"id":"evt_1","note":"é😀"}'

function intakeWith(secrets: Readonly<Record<string, readonly SharedSecret[]>>, clock = fixedClock()): Intake {
  return {
    baseUrl: new URL('https://hooks.example.com'),
    secrets: { current: new Map(Object.entries(secrets)) },
    toleranceSeconds: undefined,
    maxBodyBytes: 1000,
    proofOf: () => 'required',
    clock,
    audit: logAudit(recordingLog()),
  }
}

const INTAKE = intakeWith({ stripe: [{ value: SECRET }], github: [{ value: SECRET }] })

/** `ok`, or the code of the error that the caller gets. */
function answerTo(source: EventSource, headers: Headers, body: string | Buffer = BODY, intake = INTAKE): string {
  try {
    const call = signedCall(headers, body)
    admit(source, call, demandSecrets(source, call.headers, intake), intake)
    return 'ok'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

const hex = (text: string | Buffer, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const stripe = (time: number, body = BODY, secret = SECRET) => `t=${time},v1=${hex(`${time}.${body}`, secret)}`
const RIGHT = hex(`${NOW}.${BODY}`)

describe('W01 an invalid Stripe-Signature gets 400', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without t', `v1=${RIGHT}`],
    ['without v1', `t=${NOW}`],
    ['with two t', `t=${NOW},t=${NOW},v1=${RIGHT}`],
    ['with a t that is not a number', `t=NaN,v1=${RIGHT}`],
    ['with a negative t', `t=-1,v1=${RIGHT}`],
    ['with an element without a value', `t=${NOW},v1=${RIGHT},x`],
    ['with a t of 13 digits', `t=${'1'.repeat(13)},v1=${RIGHT}`],
    ['with blanks', `t=${NOW}, v1=${RIGHT}`],
    ['in upper case', `t=${NOW},v1=${RIGHT.toUpperCase()}`],
    ['of 63 digits', `t=${NOW},v1=${RIGHT.slice(1)}`],
    ['of 65 digits', `t=${NOW},v1=${RIGHT}0`],
    ['a thousand times', `t=${NOW}${`,v1=${'0'.repeat(64)}`.repeat(1000)}`],
  ])('%s', (_, header) => {
    expect(answerTo(stripeSource, { 'stripe-signature': header })).toBe('SIGNATURE_REJECTED')
  })

  it('but the right one among a thousand others is accepted', () => {
    const others = `,v1=${'0'.repeat(64)}`.repeat(1000)
    expect(answerTo(stripeSource, { 'stripe-signature': `t=${NOW}${others},v1=${RIGHT}` })).toBe('ok')
  })
})

describe('W02 a timestamp is valid for 300 seconds in both directions', () => {
  it.each([
    [-300, 'ok'],
    [-301, 'SIGNATURE_REJECTED'],
    [300, 'ok'],
    [301, 'SIGNATURE_REJECTED'],
  ])('%i seconds from now', (offset, answer) => {
    expect(answerTo(stripeSource, { 'stripe-signature': stripe(NOW + offset) })).toBe(answer)
  })
})

describe('W03 the bytes are signed', () => {
  const signed = '{ "id": "evt_1",\n"note":"é😀" }'
  const headers = { 'stripe-signature': stripe(NOW, signed) }

  it('as they came', () => {
    expect(answerTo(stripeSource, headers, signed)).toBe('ok')
  })

  it.each([
    ['written again', JSON.stringify(JSON.parse(signed))],
    ['with one byte changed', signed.replace('evt_1', 'evt_2')],
    ['with a byte order mark', `\ufeff${signed}`],
    ['with an emoji as an escape', signed.replace('😀', '\\ud83d\\ude00')],
    ['with an end of line', `${signed}\n`],
  ])('and no others: %s', (_, body) => {
    expect(answerTo(stripeSource, headers, body)).toBe('SIGNATURE_REJECTED')
  })
})

describe('W04 an invalid X-Hub-Signature-256 gets 401', () => {
  const right = hex(BODY)

  it.each<[string, Headers]>([
    ['only the legacy header', { 'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` }],
    ['SHA-1', { 'x-hub-signature-256': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` }],
    ['an upper-case prefix', { 'x-hub-signature-256': `SHA256=${right}` }],
    ['one byte', { 'x-hub-signature-256': 'sha256=00' }],
  ])('%s', (_, headers) => {
    expect(answerTo(githubSource, headers)).toBe('SIGNATURE_INVALID')
  })

  it('but the right one is accepted', () => {
    expect(answerTo(githubSource, { 'x-hub-signature-256': `sha256=${right}` })).toBe('ok')
  })
})

describe('W05 a provider without a secret is refused', () => {
  const never = () => ({})

  it.each(['unheard-of', 'Stripe', 'STRIPE', '__proto__', 'constructor', 'toString', ''])('"%s"', (name) => {
    const source = { ...sourceOf(never, name), scheme: providerOf(name).scheme }
    for (const secret of [SECRET, '', 'undefined', '[object Object]']) {
      const headers = { 'x-signature': createHmac('sha256', secret).update(BODY).digest('hex') }
      expect(answerTo(source, headers)).toBe('SIGNATURE_INVALID')
    }
  })

  it('and so is one with an empty list of secrets', () => {
    for (const secrets of [[], [{ value: '' }]]) {
      const headers = { 'stripe-signature': stripe(NOW, BODY, '') }
      expect(answerTo(stripeSource, headers, BODY, intakeWith({ stripe: secrets }))).toBe('SIGNATURE_REJECTED')
    }
  })
})

describe('W06 during the rotation of a secret', () => {
  const both = intakeWith({ stripe: [{ value: 'old' }, { value: 'new' }] })

  it.each(['old', 'new'])('a signature of the %s one is accepted', (secret) => {
    expect(answerTo(stripeSource, { 'stripe-signature': stripe(NOW, BODY, secret) }, BODY, both)).toBe('ok')
  })

  it('a signature of a third one is refused', () => {
    expect(answerTo(stripeSource, { 'stripe-signature': stripe(NOW, BODY, 'third') }, BODY, both)).toBe(
      'SIGNATURE_REJECTED',
    )
  })
})

describe('W12 a correctly signed call that is repeated after ten minutes', () => {
  it('is refused if the time is signed', () => {
    const clock = fixedClock()
    const intake = intakeWith({ stripe: [{ value: SECRET }] }, clock)
    const headers = { 'stripe-signature': stripe(NOW) }
    expect(answerTo(stripeSource, headers, BODY, intake)).toBe('ok')
    clock.advance(10 * MINUTE)
    expect(answerTo(stripeSource, headers, BODY, intake)).toBe('SIGNATURE_REJECTED')
  })
})
