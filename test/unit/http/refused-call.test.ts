import { createHmac } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { refusalQuery } from '../../../lib/contract/requests/refusals.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../../lib/http/provider-call.ts'
import { keepingRefusals, shownHeaders } from '../../../lib/http/refused-call.ts'
import type { Layers } from '../../../lib/http/webhook-call.ts'
import { networksOf } from '../../../lib/runtime/address.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { demandSecrets } from '../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import { NO_LIMIT, type RateLimiter } from '../../../lib/webhooks/rate/limiter.ts'
import { listRefusals } from '../../../lib/webhooks/refusals/list.ts'
import { createRefusalCounter } from '../../../lib/webhooks/refusals/refusal.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { readVectors, signedCallOf } from '../../../localstack/signatures.ts'
import { type Call, httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { MemoryRefusals } from '../../support/fakes/refusals.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { PAYMENT, POLICY } from '../../support/fakes/webhooks.ts'
import { inFull } from '../../support/full-runs.ts'

const SECRET = 'shared secret'
const mac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')

interface World {
  readonly limiter?: RateLimiter
  readonly isKept?: boolean
  readonly quiet?: boolean
}

/** The endpoint of all providers, with what it refused and what it logged. */
function setUp({ limiter = NO_LIMIT, isKept = true, quiet = false }: World = {}) {
  const { clock, timers, pass } = virtualTime()
  const lines: string[] = []
  const log = consoleLog(
    () => clock.now(),
    (line) => (quiet ? undefined : lines.push(line)),
  )
  const audit = logAudit(log)
  const secrets = {
    current: new Map(['payment', 'github', 'stripe', 'twilio'].map((name) => [name, [{ value: SECRET }]])),
  }
  const intake: Layers = {
    baseUrl: new URL('https://api.example'),
    limiter,
    trustedProxies: networksOf(['192.0.2.1']),
    secrets,
    toleranceSeconds: undefined,
    maxBodyBytes: 100_000,
    proofOf: () => 'required',
    clock,
    audit,
  }
  const events = new MemoryStore()
  const parts = { events: events.eventStore, queue: events.retryQueue, policy: POLICY, ids: countingIds() }
  const inbox = createInbox({ ...parts, clock, audit, log })
  const store = new MemoryRefusals()
  const refused = keepingRefusals({ intake, counter: createRefusalCounter({ store, clock, timers, log }), log })
  const { baseUrl, trustedProxies } = intake
  const edge = {
    clock,
    log,
    baseUrl,
    trustedOrigins: [],
    trustedProxies,
    profile: 'default',
    ...(isKept && { refused }),
  }
  const handler = endpoint(
    ROUTES.webhookProvider,
    edge,
    signedByName(ROUTES.webhookProvider, intake, KNOWN),
    ({ input }) => answer(input, inbox, clock),
  )
  const post = (name: string, given: Call = {}) =>
    handler(httpEvent({ method: 'POST', path: `/webhooks/${name}`, ...given }), lambdaContext())
  const list = (query = {}) => listRefusals(store, refusalQuery.parse(query), clock.now(), false)
  return { clock, pass, lines, store, intake, refused, post, list }
}

const PAID = JSON.stringify(PAYMENT)

const REFUSED: readonly (readonly [what: string, source: string, reason: string, verdict: string, Call])[] = [
  ['without a signature', 'payment', 'no-readable-signature', 'header-missing', { body: PAID }],
  [
    'whose body was changed on its way',
    'payment',
    'wrong-signature',
    'body-last-line',
    { body: `${PAID}\n`, headers: { 'x-signature': mac(PAID) } },
  ],
  [
    'that is too old',
    'payment',
    'too-old',
    'too-old',
    { body: PAID, headers: { 'x-signature': mac(`1.${PAID}`), 'x-timestamp': '1' } },
  ],
  ['that is too large', 'payment', 'too-large', 'too-large', { body: 'x'.repeat(100_001) }],
  [
    'without a secret, signed with that of another name',
    '(unknown)',
    'no-secret',
    'secret-of-another-provider',
    { path: '/webhooks/acme-crm', body: PAID, headers: { 'x-signature': mac(PAID) } },
  ],
]

describe('a refused call', () => {
  it.each(REFUSED)('%s is stored', async (_, source, reason, verdict, given) => {
    const { post, list } = setUp()
    await post(source, given)
    expect((await list()).refusals).toMatchObject([{ source, reason, verdict: { reason: verdict }, count: 1 }])
  })

  it.each(REFUSED)('%s is answered as usual, with the store up, down or hanging', async (_, source, _1, _2, given) => {
    const expected = await setUp({ isKept: false }).post(source, given)
    expect(expected.statusCode).toBeGreaterThanOrEqual(400)
    for (const state of ['up', 'down', 'hanging'] as const) {
      const { post, store, pass } = setUp()
      store.state = state
      const answering = post(source, given)
      await expect.poll(() => store.writes.length).toBe(1)
      pass(500)
      const answered = await answering
      const body = withoutTime(answered.body)
      expect({ ...answered, body }).toEqual({ ...expected, body: withoutTime(expected.body) })
    }
  })

  it.each(['gihtub', 'githb', 'githubb', 'Gitgub', 'strpie'])(
    'W10 to an address that is near to one is among the refusals of that source: %s',
    async (name) => {
      const { post, list } = setUp()
      const source = name.startsWith('s') ? 'stripe' : 'github'
      expect(
        (await post(name, { body: '{}', headers: { 'x-hub-signature-256': `sha256=${mac('{}')}` } })).statusCode,
      ).toBe(401)
      const sentence = `No secret is for /webhooks/${name.toLowerCase()}; was /webhooks/${source} meant?`
      expect((await list({ source })).refusals).toMatchObject([
        { source, reason: 'no-secret', verdict: { reason: 'near-address', sentence }, count: 1 },
      ])
    },
  )

  it.each(['ghitbu', 'git', 'hub', 'gthb', 'githubxx'])(
    'to an address of which two letters are wrong is unknown: %s',
    async (name) => {
      const { post, list } = setUp()
      await post(name, { body: '{}' })
      expect((await list()).refusals).toMatchObject([{ source: '(unknown)', count: 1 }])
    },
  )

  it('beyond the limit is stored', async () => {
    const { post, list } = setUp({ limiter: { wait: async () => 1 } })
    expect((await post('payment')).statusCode).toBe(429)
    expect((await list()).refusals).toMatchObject([{ source: 'payment', reason: 'rate-limited' }])
  })

  it('leaves its address, its size and the names of its headers', async () => {
    const { post, list } = setUp()
    const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'sender/1', 'x-signature': '00' }
    await post('payment', { body: Buffer.from([0xff, 0x00, 0xc3, 0xa9]), headers })
    expect((await list()).refusals).toMatchObject([
      {
        address: '203.0.113.9',
        size: 4,
        headers: { 'x-forwarded-for': null, 'user-agent': 'sender/1', 'x-signature': null },
      },
    ])
  })

  it('W42 leaves no credential, cookie, signature, query or body, in no row and no line of the log', async () => {
    const mark = 's3cretMARK'
    const headers = {
      authorization: `Bearer ${mark}`,
      cookie: `JSESSIONID=${mark}`,
      'x-signature': `sha256=${mark}`,
      'x-hub-signature-256': `sha256=${mark}`,
      'stripe-signature': `t=1,v1=${mark}`,
      'x-twilio-signature': mark,
      'x-api-key': mark,
      'x-gitlab-token': mark,
      'x-unheard-of': mark,
    }
    const bodies = [`{"a":"${mark}"}`, `{"a":${mark}}`, `a=${mark}&b`, `${mark}\r\n`, '['.repeat(30_000) + mark]
    const { post, store, lines, pass } = setUp()
    for (const name of ['payment', 'github', 'stripe', 'twilio', 'acme-crm']) {
      for (const body of bodies) {
        for (const encoding of [{}, { 'content-encoding': 'gzip' }]) {
          await post(name, { body, headers: { ...headers, ...encoding }, rawQueryString: `token=${mark}` })
          pass(10_000)
        }
      }
    }
    expect(store.writes).toHaveLength(50)
    expect(JSON.stringify(store.writes)).not.toContain(mark)
    expect(JSON.stringify(store.writes)).not.toContain(SECRET)
    expect(lines).toHaveLength(100)
    expect(lines.filter((line) => line.includes(mark))).toEqual([])
  })

  it('is not recorded for an accepted call, a handshake or an internal error', async () => {
    const { post, store } = setUp()
    const github = { 'x-hub-signature-256': `sha256=${mac('{}')}`, 'x-github-event': 'ping', 'x-github-delivery': '1' }
    expect((await post('github', { body: '{}', headers: github })).statusCode).toBe(200)
    expect((await post('no/name')).statusCode).toBe(404)
    const contradicting = JSON.stringify({ ...PAYMENT, eventId: 'event-2', orderId: 'another' })
    for (const body of [PAID, contradicting]) await post('payment', { body, headers: { 'x-signature': mac(body) } })
    expect(store.writes).toEqual([])
  })
})

describe('W41 a flood of refusals under invented names', () => {
  const CALLS = inFull(100_000)

  it('are written once for each reason and ten seconds, as one source, and counted', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { intake, refused, store, list, clock, pass } = setUp({ quiet: true })
    const event = httpEvent({ method: 'POST', path: '/webhooks/x', body: '{}' })
    const refuse = (name: string) => {
      try {
        demandSecrets(KNOWN.sourceOf(name), {}, intake)
      } catch (error) {
        return refused(error, event)
      }
      return undefined
    }
    await refuse('first')
    collect()
    const before = process.memoryUsage().heapUsed
    for (let call = 1; call < CALLS; call++) {
      if (call % 100 === 0) pass(100)
      await refuse(`made-up-${call % (CALLS / 2)}`)
    }
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000)
    // A call each millisecond.
    expect(store.writes).toHaveLength(Math.ceil(CALLS / 10_000))
    expect(new Set(store.writes.map(({ source }) => source))).toEqual(new Set(['(unknown)']))
    pass(10_000)
    await refuse('last')
    const { refusals, nextCursor } = await list()
    const sum = refusals.reduce((total, { count }) => total + count, 0)
    expect([refusals.length, sum, nextCursor]).toEqual([1, CALLS + 1, null])
    expect(refusals[0]).toMatchObject({ source: '(unknown)', reason: 'no-secret' })
    expect(refusals[0]?.verdict.sentence).toBe('No secret is configured for last.')
    expect(refusals[0]?.lastAt).toBe(clock.now().toISOString().slice(0, -1))
  })
})

const MARK = 's3cret'

const SIGNED_IN_HEADERS = readVectors('test/vectors/webhook-signatures.json').filter(
  ({ id, scheme }) => id.endsWith('/valid') && providerOf(scheme).scheme.header !== undefined,
)

describe('the headers of a refused call', () => {
  it('are shown if they are stored with events, and only named otherwise', () => {
    const headers = {
      authorization: `Bearer ${MARK}`,
      'content-encoding': 'gzip',
      'content-length': '7',
      'content-type': 'application/json',
      'user-agent': 'sender/1',
      'x-event': 'push',
      'x-other': MARK,
      'x-request-id': 'r-1',
    }
    expect(shownHeaders(headers, ['x-event'])).toEqual({
      authorization: null,
      'content-encoding': 'gzip',
      'content-length': '7',
      'content-type': 'application/json',
      'user-agent': 'sender/1',
      'x-event': 'push',
      'x-other': null,
      'x-request-id': 'r-1',
    })
  })

  it.each(SIGNED_IN_HEADERS)('are stored without any value of a proof: $id', (vector) => {
    const call = signedCallOf(vector)
    const { scheme, keptHeaders } = providerOf(vector.scheme)
    expect(scheme.read(call)).toBeDefined()
    const shown = Object.entries(shownHeaders(call.headers, keptHeaders))
    const headers = Object.fromEntries(shown.map(([name, value]) => [name, value ?? undefined]))
    expect(scheme.read({ ...call, headers })).toBeUndefined()
  })

  it('are limited to fifty, and to the beginning of each name and value', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, 'v']))
    expect(Object.keys(shownHeaders(many))).toHaveLength(50)
    const long = shownHeaders({ ['n'.repeat(1000)]: 'v', 'user-agent': 'v'.repeat(1000) })
    expect(long).toEqual({ ['n'.repeat(64)]: null, 'user-agent': 'v'.repeat(256) })
  })
})

/** A webhook's answer says when it was given. */
function withoutTime(body = ''): string {
  return body.replace(/"timestamp":"[^"]*"/, '')
}
