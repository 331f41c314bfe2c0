import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../../lib/errors.ts'
import { pick } from '../../../lib/webhooks/find.ts'
import { parseJson } from '../../../lib/webhooks/json.ts'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'
import type { Headers, SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import { SEEDS, type Seed } from '../../inputs/signatures/seeds.ts'
import { inFull } from '../../support/full-runs.ts'
import { signedCall } from '../../support/signed-call.ts'

const NOW = new Date(1_760_000_000_000)

/** `accepted`, or why not. */
function verdictOn(call: SignedCall, { scheme, secrets, now }: Pick<Seed, 'scheme' | 'secrets' | 'now'>): string {
  try {
    const verdict = verify(call, { scheme, secrets, now })
    return verdict.ok ? 'accepted' : verdict.reason
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

describe('W14 a body whose bytes are not signed', () => {
  const LARGE = 262_145

  it.each(['adyen', 'mailgun', 'microsoft-graph', 'sns'])('is as large as its source says: %s', (kind) => {
    const seed = SEEDS.find((one) => one.kind === kind)
    if (!seed) return expect.unreachable()
    const blanks = Buffer.alloc(LARGE - seed.call.body.length, ' ')
    const call = { ...seed.call, body: Buffer.concat([seed.call.body, blanks]) }
    expect(verdictOn(call, seed)).toBe('PAYLOAD_TOO_LARGE')
    expect(verdictOn({ ...call, maxBodyBytes: LARGE - 1 }, seed)).toBe('PAYLOAD_TOO_LARGE')
    expect(verdictOn({ ...call, maxBodyBytes: LARGE }, seed)).toBe('accepted')
  })
})

describe('H17 without a secret nothing of a call is parsed', () => {
  const untouchable = new Proxy({} as SignedCall, {
    get(_, name) {
      throw new Error(`${String(name)} was read`)
    },
  })

  it.each(Object.entries(PROVIDERS))('by the scheme of %s', (_, { scheme }) => {
    const after = { value: 'x'.repeat(32), notBefore: new Date(NOW.getTime() + 1) }
    for (const secrets of [[], [after]]) expect(verdictOn(untouchable, { scheme, secrets, now: NOW })).toBe('no-secret')
  })
})

const SIZE = inFull(2 ** 20)

const BODIES = {
  numbers: Buffer.from(`[${'1,'.repeat(SIZE / 2)}1]`),
  objects: Buffer.from(`[${'{},'.repeat(SIZE / 3)}1]`),
  lists: Buffer.from('['.repeat(SIZE)),
  keys: Buffer.from(`{${'"a":1,'.repeat(SIZE / 6)}"b":1}`),
} as const

/** One call of each scheme and each of its ways that is accepted. */
const GENUINE = [...new Map(SEEDS.map((seed) => [seed.kind, seed])).values()]

describe('H17 nothing is parsed before a valid signature', () => {
  beforeAll(() => {
    // A key that is written in JSON is read once.
    for (const seed of GENUINE) verdictOn(seed.call, seed)
  })
  beforeEach(() => {
    vi.spyOn(JSON, 'parse')
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** Where a signature does not cover the body's bytes, it is another one. */
  const FORGED: Readonly<Record<string, (headers: Headers) => Headers>> = {
    chargebee: (headers) => ({ ...headers, authorization: 'Basic YTpi' }),
    postmark: (headers) => ({ ...headers, authorization: 'Basic YTpi' }),
    telegram: (headers) => ({ ...headers, 'x-telegram-bot-api-secret-token': 'another' }),
    'event-grid': (headers) => ({ ...headers, 'x-event-grid-secret': 'another' }),
    'google-pubsub': (headers) => ({
      ...headers,
      authorization: headers['authorization']?.replace(/[^.]+$/, Buffer.alloc(256).toString('base64url')),
    }),
    'gitlab-token': (headers) => ({ ...headers, 'x-gitlab-token': 'another' }),
    'twilio-json': (headers) => ({ ...headers, 'x-twilio-signature': Buffer.alloc(20).toString('base64') }),
    plaid: (headers) => ({
      ...headers,
      'plaid-verification': headers['plaid-verification']?.replace(/[^.]+$/, Buffer.alloc(64).toString('base64url')),
    }),
  }

  const cases = GENUINE.flatMap((seed) => Object.keys(BODIES).map((kind) => [seed.kind, kind, seed] as const))

  it.each(cases)('of a forged call of %s with up to 1 MiB of %s', (_, kind, seed) => {
    const body = BODIES[kind as keyof typeof BODIES]
    const headers = FORGED[seed.kind]?.(seed.call.headers) ?? seed.call.headers
    const forged = { ...seed.call, headers, body }
    expect(verdictOn(forged, seed)).toMatch(/^(no-readable-signature|wrong-signature|PAYLOAD_TOO_LARGE)$/)
    expect(JSON.parse).not.toHaveBeenCalled()
  })

  it.each(['adyen', 'mailgun', 'microsoft-graph'])('of a call of %s with its fields and another signature', (name) => {
    const seed = GENUINE.find(({ kind }) => kind === name)
    if (!seed) throw new Error('no such seed')
    const text = seed.call.body.toString()
    const padded = text.replace(/^\{/, `{"padding":[${'1,'.repeat(100_000)}1],`)
    expect(
      verdictOn({ ...seed.call, body: Buffer.from(padded) }, { ...seed, secrets: [{ value: 'ab'.repeat(32) }] }),
    ).toBe('wrong-signature')
    expect(JSON.parse).not.toHaveBeenCalled()
  })
})

describe('a body that is read by a scan and by a parser', () => {
  const SECRET = 'ab'.repeat(32)
  const TOKEN = 'f'.repeat(50)
  const OTHER = '0'.repeat(50)

  const macOf = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

  /** Pieces of JSON that two readers could read differently. */
  const twists = fc.array(
    fc.constantFrom(
      `"token":"${OTHER}"`,
      `"t\\u006fken":"${OTHER}"`,
      `"token":"${TOKEN.replace('f', '\\u0066')}"`,
      `"x":{"token":"${OTHER}"}`,
      `"x":[{"token":"${OTHER}"}]`,
      `"x":"\\",\\"token\\":\\"${OTHER}\\""`,
      `"token":["${OTHER}"]`,
      `"token":null`,
      `"timestamp":"1759999999"`,
      `"timesta\\u006dp":1759999999`,
      `"":0`,
    ),
    { maxLength: 4 },
  )
  const outside = fc.array(
    fc.constantFrom(
      '"signature":{}',
      '"signatur\\u0065":{"token":1}',
      '"signature":null',
      '"x":{"signature":{}}',
      '"y":1',
    ),
    { maxLength: 2 },
  )

  it('is accepted only if both find the signed fields (Mailgun)', () => {
    const verdicts = new Set<string>()
    fc.assert(
      fc.property(twists, twists, outside, outside, (before, after, first, last) => {
        const signature = macOf(SECRET, `1760000000${TOKEN}`).digest('hex')
        const signed = [...before, `"token":"${TOKEN}","timestamp":"1760000000","signature":"${signature}"`, ...after]
        const text = `{${[...first, `"signature":{${signed.join(',')}}`, ...last].join(',')}}`
        const call = signedCall({}, text)
        const verdict = verdictOn(call, { scheme: PROVIDERS.mailgun.scheme, secrets: [{ value: SECRET }], now: NOW })
        verdicts.add(verdict)
        if (verdict !== 'accepted') return
        const payload = parseJson(call.body)
        expect(pick(payload, ['signature', 'token'])).toBe(TOKEN)
        expect(pick(payload, ['signature', 'timestamp'])).toBe('1760000000')
      }),
      { numRuns: inFull(3000) },
    )
    expect([...verdicts]).toEqual(expect.arrayContaining(['accepted', 'wrong-signature']))
  })
})
