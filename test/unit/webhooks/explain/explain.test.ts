import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fail, invalid, type ServiceError } from '../../../../lib/errors.ts'
import type { AuditReason } from '../../../../lib/webhooks/audit.ts'
import { explain, explainRefusal, type Receiver } from '../../../../lib/webhooks/explain/explain.ts'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { WebhookRefused } from '../../../../lib/webhooks/refusals/refusal.ts'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import type { SharedSecret } from '../../../../lib/webhooks/verify.ts'
import { readVectors, secretsOf, signedCallOf, type Vector } from '../../../../localstack/signatures.ts'
import { START } from '../../../support/fakes/clock.ts'
import { signedCall } from '../../../support/signed-call.ts'

const VECTORS = readVectors('test/vectors/webhook-signatures.json')

/** Why the vectors are refused, by what was done to them; the others have a signature that does not fit. */
const REASONS: Readonly<Record<string, string>> = {
  'another-version': 'unreadable-secret',
  'border-of-the-body': 'no-readable-signature',
  'border-of-the-id': 'no-readable-signature',
  'border-of-the-time': 'no-readable-signature',
  'alg-none': 'no-readable-signature',
  'empty-signature': 'header-missing',
  future: 'in-the-future',
  'missing-signature': 'header-missing',
  'moved-borders': 'no-readable-signature',
  'no-notifications': 'no-readable-signature',
  'no-t': 'no-readable-signature',
  'public-key-as-shared-secret': 'unreadable-secret',
  'removed-time': 'no-readable-signature',
  'sha1-header-only': 'header-missing',
  'signature-absent': 'no-readable-signature',
  spaces: 'header-blanks',
  stale: 'too-old',
  't-decimal': 'no-readable-signature',
  't-negative': 'no-readable-signature',
  't-not-number': 'no-readable-signature',
  'unknown-version': 'no-readable-signature',
  'uppercase-hex': 'header-capitals',
  'wrong-prefix': 'header-prefix',
}

function explained(vector: Vector, secrets = new Map([[vector.scheme, secretsOf(vector)]])) {
  const { scheme: name, now, toleranceSec } = vector
  return explain(signedCallOf(vector), {
    name,
    scheme: providerOf(name).scheme,
    secrets,
    now: new Date(now * 1000),
    toleranceSeconds: toleranceSec ?? undefined,
  })
}

describe('a refused vector', () => {
  it.each(VECTORS.filter(({ expected }) => expected === 'invalid'))('has a reason: $id', (vector) => {
    const { reason, sentence } = explained(vector)
    expect(reason).toBe(REASONS[vector.id.slice(vector.id.indexOf('/') + 1)] ?? 'wrong-signature')
    expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it.each(VECTORS.filter(({ id }) => id.endsWith('/wrong-secret')))(
    'may have the secret of another source: $id',
    (vector) => {
      const valid = VECTORS.find(({ id }) => id === vector.id.replace('wrong-secret', 'valid'))
      const secrets = new Map([
        [vector.scheme, secretsOf(vector)],
        ['other', valid ? secretsOf(valid) : []],
      ])
      expect(explained(vector, secrets)).toEqual({
        reason: 'secret-of-another-provider',
        sentence: 'It was signed with the secret that belongs to other.',
      })
    },
  )
})

const SECRET = 'whsec_a secret'
const AT = 1_760_000_000
const BODY = '{"a": "é/",\n "b": [1, true]}\n'

interface Situation {
  readonly body?: string | Buffer
  /** What was signed, when it is not the body. */
  readonly sent?: string | Buffer
  readonly own?: readonly SharedSecret[]
  readonly signedWith?: string
  readonly age?: number
  readonly header?: (header: string) => string
}

function stripeExplained({ body = BODY, sent = body, own, signedWith = SECRET, age = 0, header }: Situation) {
  const signature = createHmac('sha256', signedWith).update(`${AT}.`).update(sent).digest('hex')
  const written = `t=${AT},v1=${signature}`
  return explain(signedCall({ 'stripe-signature': header?.(written) ?? written }, body), {
    name: 'stripe',
    scheme: providerOf('stripe').scheme,
    secrets: new Map([
      ['stripe', own ?? [{ value: SECRET }]],
      ['github', [{ value: 'of github' }]],
    ]),
    now: new Date((AT + age) * 1000),
    toleranceSeconds: undefined,
  })
}

const JSON_BODY = '{"a":"é/","b":[1,true]}'
const second = (offset: number) => new Date((AT + offset) * 1000)

describe('a call is refused', () => {
  it.each<[string, string, Situation]>([
    ['too-old', 'It was signed 412 s ago; 300 s are allowed.', { age: 412 }],
    ['in-the-future', 'It was signed 301 s in the future; 300 s are allowed.', { age: -301 }],
    ['no-secret', 'No secret is configured for stripe.', { own: [] }],
    ['no-secret', 'No secret of stripe is good at this time.', { own: [{ value: 'x', notAfter: second(-1) }] }],
    ['expired-secret', 'It was signed with a secret that is over.', { own: [{ value: SECRET, notAfter: second(-1) }] }],
    [
      'expired-secret',
      'It was signed with a secret that is over.',
      { own: [{ value: 'new' }, { value: SECRET, notAfter: second(-1) }] },
    ],
    [
      'early-secret',
      'It was signed with a secret that is not good yet.',
      { own: [{ value: 'old' }, { value: SECRET, notBefore: second(1) }] },
    ],
    [
      'misspelt-secret',
      'It was signed with the secret with blanks or a prefix more or less than configured.',
      { own: [{ value: `${SECRET}\n` }] },
    ],
    [
      'secret-of-another-provider',
      'It was signed with the secret that belongs to github.',
      { signedWith: 'of github' },
    ],
    ['header-capitals', 'upper-case hexadecimal', { header: (value) => value.replace(/[0-9a-f]+$/, toUpper) }],
    ['header-blanks', 'blanks', { header: (value) => ` ${value.replace(',', ', ')}\n` }],
    ['header-missing', 'A header is missing or empty: stripe-signature.', { header: () => '' }],
    ['no-readable-signature', '(stripe-signature)', { header: () => 'v1=' }],
    ['body-mark', 'byte order mark', { sent: `\ufeff${BODY}`, body: BODY }],
    ['body-line-ends', 'line ends', { sent: BODY, body: BODY.replaceAll('\n', '\r\n') }],
    ['body-last-line', 'last line', { sent: `${JSON_BODY}\n`, body: JSON_BODY }],
    ['body-base64', 'base64', { sent: Buffer.from(BODY).toString('base64'), body: BODY }],
    ['body-charset', 'character set', { sent: BODY, body: Buffer.from(Buffer.from(BODY).toString('latin1')) }],
    ['body-charset', 'character set', { sent: Buffer.from(BODY, 'latin1'), body: BODY }],
    ['body-reformatted', 'parsed and written again', { sent: JSON_BODY, body: '{ "a": "é/", "b": [1, true] }' }],
    ['body-reformatted', 'parsed', { sent: JSON.stringify(JSON.parse(BODY), null, 2), body: JSON_BODY }],
    ['body-reformatted', 'parsed', { sent: '{"a": "é/", "b": [1, true]}', body: JSON_BODY }],
    ['body-reformatted', 'parsed', { sent: '{"a": "\\u00e9/", "b": [1, true]}', body: JSON_BODY }],
    ['body-reformatted', 'parsed', { sent: '{"a":"\\u00e9\\/","b":[1,true]}', body: JSON_BODY }],
    ['wrong-signature', 'writes JSON again', { sent: '{ "a" : 1.0 }', body: '{"a":1}' }],
    ['wrong-signature', 'The secret is another one', { signedWith: 'unknown' }],
  ])('with %s: %s', (reason, sentence, situation) => {
    expect(stripeExplained(situation)).toEqual({ reason, sentence: expect.stringContaining(sentence) })
  })

  it('without a hint at the form of JSON for a body in another form', () => {
    expect(stripeExplained({ signedWith: 'unknown', body: '{ }' }).sentence).not.toContain('perhaps')
    expect(stripeExplained({ signedWith: 'unknown', body: 'no JSON' }).sentence).not.toContain('perhaps')
  })

  it('at another address than the signed one', () => {
    const vector = VECTORS.find(({ id }) => id === 'square/valid')
    const url = (change: (url: string) => string) => vector && explained({ ...vector, url: change(vector.url) }).reason
    expect(url((given) => given.replace('https:', 'http:'))).toBe('address')
    expect(url((given) => `${given}/`)).toBe('address')
    expect(url((given) => `${given}?a=1`)).toBe('address')
    expect(url((given) => given.replace('hooks', 'other'))).toBe('wrong-signature')
  })

  it.each([
    [
      'header-base64',
      'line/valid',
      (value: string) => value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    ],
    ['header-prefix', 'dropbox/valid', (value: string) => `sha256=${value}`],
  ])('with %s', (reason, id, spelt) => {
    const vector = VECTORS.find((one) => one.id === id)
    const headers = Object.fromEntries(
      Object.entries(vector?.headers ?? {}).map(([name, value]) => [
        name,
        /sign|hmac/i.test(name) ? spelt(value) : value,
      ]),
    )
    expect(vector && explained({ ...vector, headers }).reason).toBe(reason)
  })
})

describe('an explanation', () => {
  it('contains neither a secret nor a valid signature', () => {
    const texts = VECTORS.map((vector) => JSON.stringify(explained(vector)))
    const secrets = VECTORS.flatMap((vector) => secretsOf(vector).map(({ value }) => value))
    const signatures = VECTORS.flatMap(
      (vector) => providerOf(vector.scheme).scheme.read(signedCallOf(vector))?.signatures ?? [],
    )
    const guarded = [...secrets, ...signatures.flatMap((one) => [one.toString('hex'), one.toString('base64')])]
    const kept = guarded.filter((one) => one.length > 8)
    expect(texts.filter((text) => kept.some((one) => text.includes(one)))).toEqual([])
  })
})

function toUpper(text: string): string {
  return text.toUpperCase()
}

describe('a secret that only names its keys', () => {
  it.each([
    ['plaid', 'client1:secret1@sandbox'],
    ['paypal', 'WH-1'],
    ['sns', 'arn:aws:sns:eu-west-1:123456789012:orders'],
    ['google-pubsub', 'push@gatehouse.iam.gserviceaccount.com https://hooks.example.com/webhooks/google-pubsub'],
  ])('is explained as such: of %s', (name, secret) => {
    const vector = VECTORS.find(({ id }) => id === `${name}/valid`)
    if (!vector) throw new Error('no such vector')
    const { reason, sentence } = explained({ ...vector, secret, secretKind: 'names' })
    expect([reason, sentence]).toEqual(['unknown-key', expect.stringMatching(/which the service fetches/)])
    expect(sentence).not.toContain(secret)
  })
})

const SENDER = { name: 'payment', scheme: generic }
const REFUSED_BODY = '{"a":1}'
const RECEIVER: Receiver = {
  ...SENDER,
  secrets: new Map([['payment', [{ value: 'shared secret' }]]]),
  now: START,
  toleranceSeconds: undefined,
}

describe('what the intake refused', () => {
  function explanation(
    reason: AuditReason,
    { error = fail('SIGNATURE_INVALID') as ServiceError, size = REFUSED_BODY.length, headers = {} } = {},
  ) {
    return explainRefusal(
      new WebhookRefused(error, SENDER, reason),
      size,
      () => signedCall(headers, REFUSED_BODY),
      RECEIVER,
    )
  }

  it('is explained as a recording of it', () => {
    expect(explanation('no-readable-signature')).toEqual({
      reason: 'header-missing',
      sentence: 'A header is missing or empty: x-signature.',
    })
  })

  it.each<[AuditReason, string, ServiceError]>([
    ['rate-limited', 'Its address sent more calls in a minute', fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 })],
    ['too-large', 'Its body is larger', fail('PAYLOAD_TOO_LARGE')],
    [
      'encoded',
      'Its body came under a content coding, and this source has to read it.',
      fail('CODING_UNSUPPORTED', { given: 'gzip' }),
    ],
    [
      'invalid-payload',
      'Validation failed: amount is required; orderId is required.',
      invalid([
        { path: ['orderId'], message: 'is required' },
        { path: ['amount'], message: 'is required' },
      ]),
    ],
    ['unknown-key', 'The secret of payment only names its keys', fail('SIGNATURE_INVALID')],
    ['wrong-signature', 'The secret is another one, or what', fail('SIGNATURE_INVALID')],
  ])('for a reason that is all there is to say, without reading the call: %s', (reason, sentence, error) => {
    const refused = new WebhookRefused(error, SENDER, reason)
    const found = explainRefusal(refused, 65_537, () => expect.unreachable(), RECEIVER)
    expect(found).toEqual({ reason, sentence: expect.stringContaining(sentence) })
  })

  it('keeps its reason when the same call would be accepted by now', () => {
    const signature = createHmac('sha256', 'shared secret').update(REFUSED_BODY).digest('hex')
    const headers = { 'x-signature': signature }
    expect(explanation('in-the-future', { headers })).toEqual({
      reason: 'in-the-future',
      sentence: 'It was signed in the future.',
    })
  })

  it.each(['acme-crm', '__proto__', 'constructor', '(unknown)'])('W05 has no secret under the name %s', (name) => {
    const { scheme } = KNOWN.sourceOf(name)
    const sender = { name, scheme }
    const refused = new WebhookRefused(fail('SIGNATURE_INVALID'), sender, 'no-secret')
    const call = signedCall({}, REFUSED_BODY)
    expect(explainRefusal(refused, REFUSED_BODY.length, () => call, { ...RECEIVER, ...sender })).toEqual({
      reason: 'no-secret',
      sentence: `No secret is configured for ${name}.`,
    })
  })

  it('P15 is explained although its body is too deeply nested to be written as JSON', () => {
    const body = '['.repeat(20_000) + ']'.repeat(20_000)
    const call = signedCall({ 'x-signature': createHmac('sha256', 'another').update(body).digest('hex') }, body)
    const refused = new WebhookRefused(fail('SIGNATURE_INVALID'), SENDER, 'wrong-signature')
    expect(explainRefusal(refused, body.length, () => call, RECEIVER).reason).toBe('wrong-signature')
  })
})
