import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { answer, challenged, signedByName } from '../../../lib/http/provider-call.ts'
import { type Layers, plainText } from '../../../lib/http/webhook-call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { NO_LIMIT } from '../../../lib/webhooks/rate/limiter.ts'
import { createRotatingKeys } from '../../../lib/webhooks/rotating-keys.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { fakeKeyServer, memoryDocuments } from '../../support/fakes/key-server.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { PAYMENT, POLICY } from '../../support/fakes/webhooks.ts'

const SECRET = 'shared secret'
const NEW_SECRET = 'the next shared secret'
const NAMES = ['payment', 'order-status', 'github', 'demo', 'slack', 'dropbox', 'twitch', 'xero', 'microsoft-graph']
const SECONDS = String(START.getTime() / 1000)

const DOWN = fakeKeyServer(() => new Error('connect ECONNREFUSED'))

function setUp() {
  const clock = fixedClock()
  const log = recordingLog()
  const audit = logAudit(log)
  const store = new MemoryStore()
  const baseUrl = new URL('https://api.example')
  const intake: Layers = {
    baseUrl,
    limiter: NO_LIMIT,
    trustedProxies: NO_NETWORKS,
    secrets: {
      current: new Map<string, { value: string }[]>([
        ...NAMES.map((name): [string, { value: string }[]] => [name, [{ value: SECRET }]]),
        ['zoom', [{ value: SECRET }, { value: NEW_SECRET }]],
        ['plaid', [{ value: 'client1:secret1@sandbox' }]],
      ]),
    },
    keys: createRotatingKeys({ server: DOWN, good: memoryDocuments(), clock, log, metrics: recordingMetrics() }),
    toleranceSeconds: undefined,
    maxBodyBytes: 10_000,
    proofOf: (name) => (name === 'payment' ? 'if-sent' : 'required'),
    clock,
    audit,
  }
  const edge = { clock, log, baseUrl, trustedOrigins: [], trustedProxies: NO_NETWORKS, profile: 'default' }
  const parts = {
    events: store.eventStore,
    queue: store.retryQueue,
    policy: POLICY,
    clock,
    ids: countingIds(),
    audit,
    log,
  }
  const inbox = createInbox(parts)
  const provider = endpoint(
    ROUTES.webhookProvider,
    edge,
    signedByName(ROUTES.webhookProvider, intake, KNOWN),
    ({ input }) => answer(input, inbox, clock),
  )
  const asking = { ...edge, asksByGet: KNOWN.asksByGet }
  const challenge = endpoint(
    ROUTES.webhookChallenge,
    asking,
    challenged(ROUTES.webhookChallenge, intake, KNOWN),
    ({ input }) => plainText(input),
  )
  return {
    log,
    store,
    post: (path: string, body: string, headers: Record<string, string> = {}, rawQueryString = '') =>
      provider(httpEvent({ method: 'POST', path, body, headers, rawQueryString }), lambdaContext()),
    get: (path: string, rawQueryString: string, method = 'GET') =>
      challenge(httpEvent({ method, path, rawQueryString }), lambdaContext()),
  }
}

const mac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const generic = (body: string) => ({ 'x-signature': mac(body) })
const versioned = (header: string, timeHeader: string, body: string, secret?: string) => ({
  [header]: `v0=${mac(`v0:${SECONDS}:${body}`, secret)}`,
  [timeHeader]: SECONDS,
})
const slack = (body: string) => versioned('x-slack-signature', 'x-slack-request-timestamp', body)
const zoom = (body: string, secret: string) => versioned('x-zm-signature', 'x-zm-request-timestamp', body, secret)

describe('POST /webhooks/{provider}', () => {
  it.each(['Demo', '%64emo'])('%s is the source demo, and its event is stored once', async (name) => {
    const { post, store } = setUp()
    const body = '{"eventId":"e-1","eventType":"t"}'
    const headers = { ...generic(body), 'user-agent': 'u', 'x-other': 'o', authorization: 'Bearer x' }
    for (const _ of ['first', 'again']) {
      expect(await post(`/webhooks/${name}`, body, headers)).toMatchObject({
        statusCode: 200,
        body: 'Webhook received',
      })
    }
    const stored = store.find({ source: 'demo', eventId: 'e-1' })
    expect(stored).toMatchObject({ eventType: 't', status: 'PROCESSED', outcome: 'no action' })
    expect(stored?.headers).toEqual({ 'user-agent': 'u' })
    expect(stored?.payload.toString()).toBe(body)
  })

  it('without a secret is refused like a bad signature', async () => {
    const { post, log } = setUp()
    expect(await post('/webhooks/constructor', '{}', generic('{}'))).toMatchObject({
      statusCode: 401,
      body: 'Invalid signature',
    })
    expect(log.entries).toMatchObject([{ fields: { decision: 'refused', reason: 'no-secret' } }, {}])
  })

  it('a signed body that is not JSON is stored for the operators and acknowledged', async () => {
    const { post, store } = setUp()
    expect(await post('/webhooks/demo', '{', generic('{'))).toMatchObject({ statusCode: 200, body: 'Webhook received' })
    const [stored] = [...store.events.values()].map(({ event }) => event)
    expect(stored).toMatchObject({ status: 'FAILED', dead: true, errorMessage: 'Validation failed: body must be JSON' })
    expect(stored?.payload.toString()).toBe('{')
  })
})

describe('the intent to receive of Xero, which contains no event and requires answers without a body', () => {
  const intent = '{"events":[],"firstEventSequence":0,"lastEventSequence":0,"entropy":"S0m3r4Nd0mt3xt"}'
  const signed = (body: string) => ({
    'x-xero-signature': createHmac('sha256', SECRET).update(body).digest('base64'),
  })

  it('gets 200 for a right signature, and again', async () => {
    const { post } = setUp()
    for (const _time of ['new', 'again'])
      expect(await post('/webhooks/xero', intent, signed(intent))).toMatchObject({ statusCode: 200, body: '' })
  })

  it('gets 401 for a wrong one', async () => {
    const { post, store } = setUp()
    expect(await post('/webhooks/xero', intent, signed('{}'))).toMatchObject({ statusCode: 401, body: '' })
    expect(store.events.size).toBe(0)
  })
})

describe('a call whose key cannot be fetched', () => {
  it('is 503 with Retry-After, and is not stored, so that it is sent again', async () => {
    const { post, store } = setUp()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'ES256', kid: 'k-1' })}.${part({})}.AAAA`
    const { statusCode, headers, body } = await post('/webhooks/plaid', '{}', { 'plaid-verification': token })
    expect([statusCode, body]).toEqual([503, 'Service temporarily unavailable'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(store.events.size).toBe(0)
  })
})

describe('the name of an endpoint in another case', () => {
  const payment = JSON.stringify(PAYMENT)

  it('W27 is that source, with its own rules of proof', async () => {
    const { post, store } = setUp()
    const { statusCode, body } = await post('/webhooks/PAYMENT', payment)
    expect([statusCode, JSON.parse(body ?? '')]).toEqual([
      200,
      { success: true, message: 'Webhook processed successfully', timestamp: '2026-01-02T03:04:05.000' },
    ])
    expect(store.find({ source: 'payment', eventId: PAYMENT.eventId })).toMatchObject({ eventType: 'PAYMENT' })
    expect(store.payments.get(PAYMENT.transactionId)).toMatchObject({ status: 'COMPLETED' })
  })

  it.each([
    ['/webhooks/Payment', payment, { 'x-signature': '0' }, 401, 'Invalid signature'],
    ['/webhooks/Order-Status', '{}', {}, 401, 'Invalid signature'],
  ])('refuses in JSON: %s %s', async (path, text, headers, status, message) => {
    const { statusCode, body } = await setUp().post(path, text, headers)
    expect([statusCode, JSON.parse(body ?? '')]).toMatchObject([status, { success: false, message }])
  })

  const signed = { 'x-hub-signature-256': `sha256=${mac('{}')}` }

  it.each([
    ['unsigned', {}, 401, 'Invalid signature'],
    ['signed, but not to be stored', signed, 400, 'Validation failed: x-github-event is required'],
  ])('refuses in text where the endpoint of that name does: %s', async (_, headers, statusCode, body) => {
    expect(await setUp().post('/webhooks/GitHub', '{}', headers)).toMatchObject({ statusCode, body })
  })
})

describe('a handshake', () => {
  const url = '{"event":"endpoint.url_validation","payload":{"plainToken":"p"}}'

  it('W18 is refused without the signature', async () => {
    const body = '{"type":"url_verification","challenge":"c"}'
    const reply = await setUp().post('/webhooks/slack', body, { ...slack(body), 'x-slack-signature': 'v0=00' })
    expect(reply).toMatchObject({ statusCode: 401, body: 'Invalid signature' })
  })

  it.each([SECRET, NEW_SECRET])(
    'of Zoom is signed with the secret that the call proves, of several: %s',
    async (secret) => {
      const { body } = await setUp().post('/webhooks/zoom', url, zoom(url, secret))
      expect(JSON.parse(body ?? '')).toEqual({ plainToken: 'p', encryptedToken: mac('p', secret) })
    },
  )

  describe('of Twitch', () => {
    const TWITCH = 'twitch-eventsub-message'
    const subscription = { status: 'webhook_callback_verification_pending', type: 'channel.follow' }
    const signed = (body: string) => {
      const [id, time] = ['e76c6bd4-55c9-4987-8304-da1588d8988b', '2026-01-02T03:04:05.171067130Z']
      return {
        [`${TWITCH}-id`]: id,
        [`${TWITCH}-timestamp`]: time,
        [`${TWITCH}-signature`]: `sha256=${mac(id + time + body)}`,
      }
    }

    it('is identified by its body, not by the unsigned header with its type', async () => {
      const { post, store } = setUp()
      const body = JSON.stringify({ challenge: 'c', event: {}, subscription: { ...subscription, status: 'enabled' } })
      const headers = { ...signed(body), [`${TWITCH}-type`]: 'webhook_callback_verification' }
      expect(await post('/webhooks/twitch', body, headers)).toMatchObject({ body: 'Webhook received' })
      expect(store.events.size).toBe(1)
    })

    it('W18 is refused without the signature', async () => {
      const body = JSON.stringify({ challenge: 'c', subscription })
      const headers = { ...signed(body), [`${TWITCH}-signature`]: `sha256=${mac(body)}` }
      expect(await setUp().post('/webhooks/twitch', body, headers)).toMatchObject({ statusCode: 401 })
    })
  })

  it('without a challenge is stored as an event', async () => {
    const { post, store } = setUp()
    const body = '{"type":"url_verification"}'
    expect(await post('/webhooks/slack', body, slack(body))).toMatchObject({ statusCode: 200 })
    expect([...store.events.values()].map(({ event }) => event.eventType)).toEqual(['url_verification'])
  })
})

describe('W45 the token with which Microsoft Graph validates an address', () => {
  const validate = (name: string, query: string) => setUp().post(`/webhooks/${name}`, '', {}, query)

  it('is returned decoded, as plain text', async () => {
    const { statusCode, headers, body } = await validate(
      'Microsoft-Graph',
      `a=b&validationToken=${'%3Cscript%3Ealert(1)%3C%2Fscript%3E'}`,
    )
    expect([statusCode, headers['content-type'], body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '<script>alert(1)</script>',
    ])
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('is refused if it is longer than 1 KiB', async () => {
    const reply = await validate('microsoft-graph', `validationToken=${'a'.repeat(1025)}`)
    expect(reply).toMatchObject({
      statusCode: 400,
      body: 'Validation failed: validationToken must be at most 1024 bytes',
    })
  })

  it('is returned for no other name', async () => {
    expect(await validate('slack', 'validationToken=a')).toMatchObject({ statusCode: 401, body: 'Invalid signature' })
  })
})

describe('GET /webhooks/{provider}', () => {
  it('returns the challenge as text', async () => {
    const { statusCode, headers, body } = await setUp().get('/webhooks/Dropbox', 'challenge=%3Cscript%3E')
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/plain; charset=utf-8', '<script>'])
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('is 405 with Allow: HEAD, POST for a source that asks nothing by GET', async () => {
    const { statusCode, headers } = await setUp().get('/webhooks/payment', 'challenge=c')
    expect([statusCode, headers['allow']]).toEqual([405, 'HEAD, POST'])
  })
})

describe('HEAD /webhooks/{provider}, by which a sender checks the address', () => {
  it.each([
    ['/webhooks/SLACK', 200],
    ['/webhooks/dropbox', 200],
    ['/webhooks/meta', 404],
    ['/webhooks/slack.verify', 404],
  ])('%s: %d without a body, by whether there is a secret', async (path, status) => {
    const { get, store, log } = setUp()
    const { statusCode, body } = await get(path, 'challenge=c', 'HEAD')
    expect([statusCode, body, store.events.size]).toEqual([status, '', 0])
    expect(log.entries.filter(({ fields }) => fields?.['decision'] !== undefined)).toEqual([])
  })
})
