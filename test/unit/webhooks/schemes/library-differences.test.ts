import { createHmac } from 'node:crypto'
import { verify as verifyGithub } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import type { Headers } from '../../../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { signedCall } from '../../../support/signed-call.ts'
import published from '../../../vectors/webhook-signatures.json' with { type: 'json' }

/** Where a provider's library accepts what is refused here. */
const STRICTER: Readonly<Record<string, string>> = {
  'calendly/future': 'a time in the future lets a call be kept for later',
  'google-pubsub/another-email': 'the token of another account',
  'google-pubsub/unverified-email': 'an e-mail that Google did not verify is not the account',
  'hubspot-v3/future': 'a time in the future lets a call be kept for later',
  'sns/another-topic': 'one certificate signs for every topic of a region',
  'sns/future': 'a time in the future lets a call be kept for later',
  'sns/moved-borders': 'lines of a message are no other fields',
  'sns/stale': 'SNS retries for an hour',
  'stripe/future': 'a time in the future lets a call be kept for later',
  'stripe/t-decimal': 'a time has one spelling',
  'twitch/border-of-the-time': 'what was signed as a time is no part of an id',
  'twitch/future': 'a time in the future lets a call be kept for later',
}

/** Where a provider's library refuses what is accepted here. */
const EXACTER: Readonly<Record<string, string>> = {
  'github/non-utf8-body': 'the bytes are signed, not the text that they decode to',
  'sns/valid-unsubscribe': 'the token is signed, as the developer guide says and sns-payload-validator has it',
  'stripe/bom': 'a byte order mark is signed with the rest',
  'stripe/non-utf8-body': 'the bytes are signed, not the text that they decode to',
}

const judged = published.vectors.filter(({ libraryVerdict }) => libraryVerdict !== null)
const ids = (list: typeof published.vectors) => list.map(({ id }) => id).sort()

describe("the provider's own library verified the vectors", () => {
  it('and accepted calls that are refused here, for known reasons', () => {
    const laxer = judged.filter(({ libraryVerdict, expected }) => libraryVerdict && expected === 'invalid')
    expect(ids(laxer)).toEqual(Object.keys(STRICTER))
  })

  it('and refused calls that are accepted here, for known reasons', () => {
    const others = judged.filter(({ libraryVerdict, expected }) => !libraryVerdict && expected === 'valid')
    expect(ids(others)).toEqual(Object.keys(EXACTER))
  })
})

const SECRET = 'whsec_c2hhcmVkIHNlY3JldA=='
const AT = 1_760_000_000
const TEXT = '{"a":1}'
const NO_TEXT = Buffer.from([0x7b, 0xff, 0x7d])

const hex = (...parts: readonly (string | Buffer)[]) => mac(SECRET, parts).toString('hex')
const base64 = (text: string) => mac(Buffer.from('c2hhcmVkIHNlY3JldA==', 'base64'), [text]).toString('base64')

function mac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

interface Difference {
  readonly what: string
  readonly scheme: 'stripe' | 'github' | 'standard-webhooks' | 'svix'
  readonly headers: Headers
  readonly body: string | Buffer
  readonly library: (headers: Record<string, string>, body: Buffer) => unknown
}

const byStripe: Difference['library'] = (headers, body) =>
  Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', SECRET)
const byStandard: Difference['library'] = (headers, body) => new StandardWebhook(SECRET).verify(body, headers)
const bySvix: Difference['library'] = (headers, body) => new SvixWebhook(SECRET).verify(body, headers)
const byGithub: Difference['library'] = async (headers, body) => {
  const isValid = await verifyGithub(SECRET, body.toString(), headers['x-hub-signature-256'] ?? '')
  if (!isValid) throw new Error('refused')
}

function standardHeaders(prefix: string, timestamp: string, version = 'v1') {
  return {
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `${version},${base64(`msg_1.${AT}.${TEXT}`)}`,
  }
}

const LAXER: readonly Difference[] = [
  {
    what: 'a time in the future',
    scheme: 'stripe',
    headers: { 'stripe-signature': `t=${AT + 3600},v1=${hex(`${AT + 3600}.${TEXT}`)}` },
    body: TEXT,
    library: byStripe,
  },
  {
    what: 'a time with a fraction',
    scheme: 'stripe',
    headers: { 'stripe-signature': `t=${AT}.0,v1=${hex(`${AT}.${TEXT}`)}` },
    body: TEXT,
    library: byStripe,
  },
  {
    what: 'two times, of which the last counts',
    scheme: 'stripe',
    headers: { 'stripe-signature': `t=1,t=${AT},v1=${hex(`${AT}.${TEXT}`)}` },
    body: TEXT,
    library: byStripe,
  },
  {
    what: 'the signature of the text that bytes decode to',
    scheme: 'github',
    headers: { 'x-hub-signature-256': `sha256=${hex(NO_TEXT.toString())}` },
    body: NO_TEXT,
    library: byGithub,
  },
  {
    what: 'a time with letters behind it',
    scheme: 'standard-webhooks',
    headers: standardHeaders('webhook', `${AT}x`),
    body: TEXT,
    library: byStandard,
  },
  {
    what: 'a time with a fraction',
    scheme: 'svix',
    headers: standardHeaders('svix', `${AT}.9`),
    body: TEXT,
    library: bySvix,
  },
  {
    what: 'the headers of Standard Webhooks',
    scheme: 'svix',
    headers: standardHeaders('webhook', String(AT)),
    body: TEXT,
    library: bySvix,
  },
]

const STRICT_LIBRARY: readonly Difference[] = [
  {
    what: 'a byte order mark',
    scheme: 'stripe',
    headers: { 'stripe-signature': `t=${AT},v1=${hex(`${AT}.\ufeff${TEXT}`)}` },
    body: `\ufeff${TEXT}`,
    library: byStripe,
  },
  {
    what: 'bytes that are not UTF-8',
    scheme: 'github',
    headers: { 'x-hub-signature-256': `sha256=${hex(NO_TEXT)}` },
    body: NO_TEXT,
    library: byGithub,
  },
]

async function verdicts({ scheme, headers, body, library }: Difference) {
  const call = signedCall(headers, body)
  const given = Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, value]))
  const here = verify(call, {
    scheme: PROVIDERS[scheme].scheme,
    secrets: [{ value: SECRET }],
    now: new Date(AT * 1000),
  }).ok
  const there = await Promise.resolve()
    .then(() => library(given, call.body))
    .then(
      () => true,
      () => false,
    )
  return { here, there }
}

describe('the installed library', () => {
  beforeAll(() => {
    vi.useFakeTimers({ now: AT * 1000, toFake: ['Date'] })
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  it.each(LAXER)('of $scheme accepts $what, which is refused here', async (difference) => {
    expect(await verdicts(difference)).toEqual({ here: false, there: true })
  })

  it.each(STRICT_LIBRARY)('of $scheme refuses $what, which is accepted here', async (difference) => {
    expect(await verdicts(difference)).toEqual({ here: true, there: false })
  })
})
