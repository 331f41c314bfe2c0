import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../../lib/contract/requests/recorded-call.ts'
import { ServiceError } from '../../../../lib/errors.ts'
import { admit, type Intake } from '../../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import { explainRecorded } from '../../../../lib/webhooks/explain/ask.ts'
import type { Explanation } from '../../../../lib/webhooks/explain/explain.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import { SEEDS, type Seed } from '../../../inputs/signatures/seeds.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { inFull } from '../../../support/full-runs.ts'

const BASE = new URL('https://api.example')
const SECRET = 'shared secret'
const SECONDS = START.getTime() / 1000
const mac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

/** The answer to a request of the API, asked at the start of the fixed clock. */
function asked(given: object) {
  return explainRecorded(recordedCall.parse(given), {
    sources: KNOWN,
    secrets: {
      current: new Map([
        ['payment', [{ value: SECRET }]],
        ['square', [{ value: SECRET }]],
        ['shopify', [{ value: SECRET }]],
      ]),
    },
    toleranceSeconds: undefined,
    baseUrl: BASE,
    clock: fixedClock(),
  })
}

const timed = (seconds: number) => ({
  headers: { 'X-Signature': mac(`${seconds}.{}`), 'X-Timestamp': String(seconds) },
  bodyBase64: 'e30=',
})

describe('a recorded call is verified', () => {
  it('by the clock of the service, or at another time', () => {
    const request = timed(SECONDS - 301)
    expect(asked({ source: 'payment', request }).sentence).toBe('It was signed 301 s ago; 300 s are allowed.')
    expect(asked({ source: 'payment', request, at: '2026-01-02T03:04:04' }).reason).toBe('accepted')
  })

  it('as a call of its source, in any case of its name', () => {
    expect(asked({ source: 'Payment', request: timed(SECONDS) }).reason).toBe('accepted')
  })

  it.each(['acme-crm', '__proto__', 'constructor', '(unknown)'])(
    'W05, P15 without a secret, for a name without one: %s',
    (source) => {
      expect(asked({ source, request: timed(SECONDS) }).reason).toBe('secret-of-another-provider')
      expect(asked({ source, request: { headers: {}, bodyBase64: '' } })).toEqual({
        reason: 'no-secret',
        sentence: `No secret is configured for ${source.toLowerCase()}.`,
      })
    },
  )

  it.each([
    ['an address', 'https://api.example/webhooks/square?a=1', 'https://api.example/webhooks/square?a=1'],
    ['a path', '/webhooks/square', 'https://api.example/webhooks/square'],
    ['none', undefined, 'https://api.example/webhooks/square'],
  ])('at its address, if that is signed: %s', (_, url, address) => {
    const signature = createHmac('sha256', SECRET).update(address).update('{}').digest('base64')
    const headers = { 'x-square-hmacsha256-signature': signature }
    expect(asked({ source: 'square', request: { url, headers, bodyBase64: 'e30=' } }).reason).toBe('accepted')
  })

  it('P15 although its body is too deeply nested to be written as JSON', () => {
    const bodyBase64 = Buffer.from('['.repeat(20_000) + ']'.repeat(20_000)).toString('base64')
    const request = { headers: { 'x-signature': mac('another') }, bodyBase64 }
    expect(asked({ source: 'payment', request }).reason).toBe('wrong-signature')
  })
})

describe('P15 an invalid recorded call is refused', () => {
  const request = { headers: {}, bodyBase64: '' }

  it.each([
    ['no source', { request }],
    ['a source that is not text', { source: 1, request }],
    ['a body that is not base64', { source: 'a', request: { ...request, bodyBase64: 'é' } }],
    ['a header that is not text', { source: 'a', request: { ...request, headers: { a: 1 } } }],
    ['more headers than any call has', { source: 'a', request: { ...request, headers: { a: 'v'.repeat(16_384) } } }],
    ['an invalid address', { source: 'a', request: { ...request, url: 'nowhere' } }],
    ['a method in lower case', { source: 'a', request: { ...request, method: 'post' } }],
    ['an invalid time', { source: 'a', request, at: 'yesterday' }],
    ['an unknown field', { source: 'a', request: { ...request, secret: 's' } }],
  ])('%s', (_, given) => {
    expect(recordedCall.safeParse(given).success).toBe(false)
  })
})

const DAY = 86_400

/** The intake's own judgment. */
function isAdmitted({ kind: name, call, now, secrets, toleranceSeconds }: Seed): boolean {
  const intake: Intake = {
    baseUrl: BASE,
    secrets: { current: new Map([[name, secrets]]) },
    toleranceSeconds,
    maxBodyBytes: 1_000_000,
    proofOf: () => 'required',
    clock: fixedClock(now),
    audit: logAudit(recordingLog()),
  }
  try {
    admit(KNOWN.sourceOf(name), call, intake)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function explainedAt({ kind: name, call, now, secrets, toleranceSeconds }: Seed): Explanation {
  const { body, ...request } = call
  const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value = '']) => [key, value]))
  const parts = {
    sources: KNOWN,
    secrets: { current: new Map([[name, secrets]]) },
    toleranceSeconds,
    baseUrl: BASE,
    clock: fixedClock(now),
  }
  const recorded = { ...request, headers, bodyBase64: body.toString('base64') }
  return explainRecorded({ source: name, request: recorded }, parts)
}

const CHANGES: Readonly<Record<string, (call: SignedCall) => SignedCall>> = {
  none: (call) => call,
  'another body': (call) => ({ ...call, body: Buffer.concat([call.body, Buffer.from(' ')]) }),
  'no body': (call) => ({ ...call, body: Buffer.alloc(0) }),
  'no headers': (call) => ({ ...call, headers: {} }),
  'another address': (call) => ({ ...call, url: `${call.url}/x` }),
}

describe('explain answers accepted', () => {
  const seeds = SEEDS.filter(({ kind, scheme }) => KNOWN.sourceOf(kind).scheme === scheme)

  it('for exactly the calls that the intake accepts, at any delay and after any change', () => {
    const many = inFull(2000, 500)
    const verdicts = { accepted: 0, late: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.oneof(
          fc.integer({ min: -400, max: 400 }),
          fc.integer({ min: 400, max: 4000 }),
          fc.integer({ min: -DAY, max: 40 * DAY }),
        ),
        fc.constantFrom(...Object.keys(CHANGES)),
        (seed, age, change) => {
          const call = CHANGES[change]?.(seed.call) ?? seed.call
          const sent = { ...seed, call, now: new Date(seed.now.getTime() + age * 1000) }
          const isAccepted = isAdmitted(sent)
          verdicts[isAccepted ? (age > seed.scheme.toleranceSeconds ? 'late' : 'accepted') : 'refused'] += 1
          expect(explainedAt(sent).reason === 'accepted').toBe(isAccepted)
        },
      ),
      { numRuns: many },
    )
    for (const count of Object.values(verdicts)) expect(count).toBeGreaterThan(many / 200)
  })

  it('for a late retry of a provider that does not renew its time, with the allowed delay', () => {
    const seed = SEEDS.find(({ kind }) => kind === 'zoom')
    const explained = (age: number) => seed && explainedAt({ ...seed, now: new Date(seed.now.getTime() + age * 1000) })
    expect(explained(301)?.reason).toBe('accepted')
    expect(explained(7200)?.reason).toBe('accepted')
    expect(explained(7201)?.sentence).toBe('It was signed 7201 s ago; 300 s are allowed, to a retry 7200 s.')
  })
})
