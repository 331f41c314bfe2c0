import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { answer, challenged, signedByName } from '../../../lib/http/provider-call.ts'
import { type Layers, plainText } from '../../../lib/http/webhook-call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../lib/webhooks/providers/samples.ts'
import { NO_LIMIT } from '../../../lib/webhooks/rate/limiter.ts'
import { createRotatingKeys } from '../../../lib/webhooks/rotating-keys.ts'
import type { Sample, SampleMessage } from '../../../lib/webhooks/sample.ts'
import { catalogFrom } from '../../../lib/webhooks/sources/catalog.ts'
import { newMessage } from '../../../localstack/senders/message.ts'
import { prove } from '../../../localstack/senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../../localstack/senders/signers.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { fakeKeyServer, memoryDocuments } from '../../support/fakes/key-server.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { POLICY } from '../../support/fakes/webhooks.ts'

type Name = keyof typeof PROVIDERS

const NAMES = Object.keys(PROVIDERS) as Name[]
const VERIFY_TOKEN = 'the token that the owner chose'
const SNS_HOST = 'sns.eu-west-1.amazonaws.com'

/** The intake with each provider under its own name and, as `<name>-eu`, under a second one. */
function setUp({ secret }: SenderCredentials) {
  const sources = catalogFrom({ sources: Object.fromEntries(NAMES.map((preset) => [`${preset}-eu`, { preset }])) })
  const clock = fixedClock()
  const log = recordingLog()
  const audit = logAudit(log)
  const store = new MemoryStore()
  const server = fakeKeyServer(() => '')
  const baseUrl = new URL('https://api.example')
  const names = [...NAMES, ...sources.configured.keys()]
  const intake: Layers = {
    baseUrl,
    limiter: NO_LIMIT,
    trustedProxies: NO_NETWORKS,
    secrets: {
      current: new Map([
        ...names.map((name) => [name, [{ value: secret }]] as const),
        ...names.map((name) => [`${name}.verify`, [{ value: VERIFY_TOKEN }]] as const),
      ]),
    },
    keys: createRotatingKeys({ server, good: memoryDocuments(), clock, log, metrics: recordingMetrics() }),
    toleranceSeconds: undefined,
    maxBodyBytes: 10_000,
    proofOf: () => 'required',
    clock,
    audit,
  }
  const { asksByGet } = sources
  const edge = { clock, log, baseUrl, trustedOrigins: [], trustedProxies: NO_NETWORKS, profile: 'default', asksByGet }
  const { eventStore: events, retryQueue: queue } = store
  const inbox = createInbox({ events, queue, policy: POLICY, clock, ids: countingIds(), audit, log })
  const take = endpoint(
    ROUTES.webhookProvider,
    edge,
    signedByName(ROUTES.webhookProvider, intake, sources),
    ({ input }) => answer(input, inbox, clock),
  )
  const challenge = endpoint(
    ROUTES.webhookChallenge,
    edge,
    challenged(ROUTES.webhookChallenge, intake, sources),
    ({ input }) => plainText(input),
  )
  return { store, server, sources, take, challenge }
}

interface Question {
  readonly method?: 'GET'
  readonly query?: string
  /** A body that the provider signs in place of its sample's. */
  readonly body?: object
  /** A body that nobody signs. */
  readonly unsigned?: string
}

const TOPIC = SAMPLES.sns.keyName ?? ''

/** What each provider asks before its first event, or instead of one, and what it has to be told. */
const HANDSHAKES: Readonly<Partial<Record<Name, readonly [Question, status: number, text: string | RegExp]>>> = {
  discord: [{ body: { id: '1', type: 1, application_id: '2' } }, 200, '{"type":1}'],
  dropbox: [{ method: 'GET', query: 'challenge=abc' }, 200, 'abc'],
  'event-grid': [
    {
      body: [
        {
          id: '1',
          topic: 't',
          eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
          data: { validationCode: '512d38b6' },
        },
      ],
    },
    200,
    '{"validationResponse":"512d38b6"}',
  ],
  meta: [
    {
      method: 'GET',
      query: `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}`,
    },
    200,
    '1158201444',
  ],
  'microsoft-graph': [{ query: 'validationToken=a+b', unsigned: '' }, 200, 'a b'],
  slack: [{ body: { type: 'url_verification', challenge: '3eZbrw1a' } }, 200, '{"challenge":"3eZbrw1a"}'],
  sns: [
    {
      body: {
        Type: 'SubscriptionConfirmation',
        MessageId: 'm-1',
        TopicArn: TOPIC,
        Message: 'Confirm it',
        Token: 't-1',
        SubscribeURL: `https://${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
      },
    },
    200,
    'Webhook received',
  ],
  twitch: [
    { body: { challenge: 'pogchamp', subscription: { status: 'webhook_callback_verification_pending' } } },
    200,
    'pogchamp',
  ],
  woocommerce: [{ unsigned: 'webhook_id=7' }, 200, 'Webhook received'],
  zoom: [
    { body: { event: 'endpoint.url_validation', payload: { plainToken: 'p' } } },
    200,
    /^\{"plainToken":"p","encryptedToken":"[0-9a-f]{64}"\}$/,
  ],
}

/** What providers are told that do not take the usual text. */
const ACKNOWLEDGEMENTS: Readonly<Partial<Record<Name, string>>> = { adyen: '[accepted]', supabase: '{}', xero: '' }

const credentials = new Map(NAMES.map((name) => [name, signerOf(PROVIDERS[name].scheme.methods[0]).make()]))

/** Asks under a name of the provider. */
async function ask(provider: Name, name: string, { method, query = '', body, unsigned }: Question) {
  const made = credentials.get(provider) ?? { secret: '' }
  const { take, challenge, ...world } = setUp(made)
  const path = `/webhooks/${name}`
  if (method) {
    return { ...world, reply: await challenge(httpEvent({ method, path, rawQueryString: query }), lambdaContext()) }
  }
  const url = `https://api.example${path}${query && `?${query}`}`
  const call = unsigned === undefined ? signed(provider, name, { url, body }) : { url, headers: {}, body: unsigned }
  const event = {
    method: 'POST',
    path,
    rawQueryString: new URL(call.url).search.slice(1),
    headers: call.headers,
    body: call.body.toString(),
  }
  return { ...world, reply: await take(httpEvent(event), lambdaContext()) }

  function signed(of: Name, as: string, { url, body }: { url: string; body: object | undefined }) {
    const sender: Sample = SAMPLES[of]
    const sample = newMessage(sender, sender.events[0], { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', at: START })
    const message: SampleMessage = body ? { ...sample, body: Buffer.from(JSON.stringify(body)) } : sample
    const { sources } = world
    return prove(message, { name: as, sender, credentials: made, url, signedAt: START, sources })
  }
}

it('each provider that asks something has a row', () => {
  const members = ['challenge', 'handshake', 'ping', 'echo', 'confirmation']
  const asking = NAMES.filter((name) => members.some((member) => member in PROVIDERS[name]))
  expect(Object.keys(HANDSHAKES)).toEqual(asking)
})

describe('a second account of a provider', () => {
  const rows = Object.entries(HANDSHAKES) as [Name, NonNullable<(typeof HANDSHAKES)[Name]>][]

  it.each(rows)('gets the answer of %s to its question, and no event is stored', async (name, row) => {
    const [question, status, text] = row
    const [first, second] = [await ask(name, name, question), await ask(name, `${name}-eu`, question)]
    expect([first.reply.statusCode, first.reply.body]).toEqual([
      status,
      typeof text === 'string' ? text : expect.stringMatching(text),
    ])
    expect(second.reply).toEqual(first.reply)
    expect(second.server.asked).toEqual(first.server.asked)
    expect([first.store.events.size, second.store.events.size]).toEqual([0, 0])
  })

  it.each(NAMES)('has its events taken and answered like those of %s', async (name) => {
    const [first, second] = [await ask(name, name, {}), await ask(name, `${name}-eu`, {})]
    const body = ACKNOWLEDGEMENTS[name] ?? 'Webhook received'
    expect(first.reply).toMatchObject({ statusCode: 200, body })
    expect(second.reply).toEqual(first.reply)
    const stored = ({ store }: typeof first) =>
      [...store.events.values()].map(({ event: { eventId, eventType, status, outcome, proof, headers } }) => {
        return { eventId, eventType, status, outcome, level: proof?.level, headers }
      })
    expect(stored(first)).toHaveLength(1)
    expect(stored(second)).toEqual(stored(first))
  })

  it.each(['dropbox', 'meta'])('takes GET by its own name alone: %s', async (name) => {
    const { reply } = await ask('slack', `${name}-us`, { method: 'GET', query: 'challenge=abc' })
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'HEAD, POST'])
  })
})

it.each<[string, Question, string]>([
  ['by GET', { method: 'GET', query: 'ssl_check=1&token=gIkuvaNzQIHg97ATvDxqgjtO' }, '1'],
  ['by POST', { unsigned: 'token=gIkuvaNzQIHg97ATvDxqgjtO&ssl_check=1' }, 'Webhook received'],
  ['by POST, in the other order', { unsigned: 'ssl_check=1&token=gIkuvaNzQIHg97ATvDxqgjtO' }, 'Webhook received'],
  ['by POST, alone', { unsigned: 'ssl_check=1' }, 'Webhook received'],
])(
  'W7 the check of the certificate by Slack is answered under any name, and stores nothing: %s',
  async (_, question, text) => {
    for (const name of ['slack', 'slack-eu']) {
      const { reply, store } = await ask('slack', name, question)
      expect([reply.statusCode, reply.body]).toEqual([200, text])
      expect(store.events.size).toBe(0)
    }
  },
)

it.each(['ssl_check=0', 'ssl_check=1&text=hello', 'command=%2Fx&ssl_check=1', ''])(
  'W7 any other unsigned call of Slack is refused: %s',
  async (unsigned) => {
    expect((await ask('slack', 'slack', { unsigned })).reply.statusCode).toBe(401)
  },
)
