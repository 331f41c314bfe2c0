import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { systemClock } from '../../../lib/runtime/time.ts'
import { type EventChange, hashOf, WatchCursor } from '../../../lib/webhooks/live/cursor.ts'
import { QUIET_MS } from '../../../lib/webhooks/live/watch.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { signToken } from '../../support/fakes/jwt.ts'
import { MemoryKeys, newApiKey } from '../../support/fakes/keys.ts'
import { noAccount } from '../../support/fakes/principals.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { openSocket } from '../../support/raw-socket.ts'
import { SECURED } from '../../support/secured.ts'
import { adminToken, claimsOf, OWN_ORIGIN, stompServer, TRUSTED_ORIGIN, userToken } from '../../support/stomp-server.ts'
import { ticketWorld } from '../../support/ticket-world.ts'

const PATH = '/api/webhooks/stream'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const asAdmin = (more: Readonly<Record<string, string>> = {}) => ({ ...bearer(adminToken()), ...more })

let made = 0

/** A change of a new event, just now. */
function change(changes: Partial<EventChange> = {}): EventChange {
  made += 1
  const changeId = `${firstIdAt(Date.now()) + BigInt(made)}`
  const event = { id: '7', source: 'stripe', eventId: `e${made}`, eventType: 't', status: 'PROCESSED' }
  return { ...event, receivedAt: 'now', changeId, ...changes }
}

/** An event changes, in the store and in the hints. */
function tell({ feed, reader }: Server, ...changes: readonly EventChange[]): void {
  for (const each of changes) {
    reader.put(each)
    feed.hear(each)
  }
}

type Server = Awaited<ReturnType<typeof stompServer>>
type Options = Parameters<typeof stompServer>[0]

/** A stream of somebody with such credentials, an admin's if it is not said. */
async function opened(options: Options = {}, headers?: Readonly<Record<string, string>>, query = '') {
  const server = await stompServer(options)
  const stream = await openEventStream(`${server.stream}${query}`, headers ?? asAdmin())
  if (stream.status === 200) await vi.waitUntil(() => stream.comments.length > 0, { interval: 1 })
  return { server, stream }
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly query?: string
}

/** The answer to a request that opens no stream. */
async function answerOf({ stream }: Server, { method = 'GET', headers = {}, query = '' }: Sent = {}) {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  httpRequest(`${stream}${query}`, { method, headers, agent: false }, resolve).end()
  const answer = await promise
  const body = await text(answer)
  return { status: answer.statusCode, headers: answer.headers, body: body === '' ? undefined : JSON.parse(body) }
}

describe('an admin', () => {
  it('receives webhook events as over STOMP, each under its cursor', async () => {
    const { server, stream } = await opened()
    const [one, other] = [change(), change({ status: 'FAILED' })]
    for (const each of [one, other]) server.feed.hear(each)
    const events = await stream.heard(2)
    const { changeId: _, ...record } = other
    expect(events[1]).toEqual({
      type: 'webhook',
      id: server.feed.cursor(),
      data: { cursor: server.feed.cursor(), ...record },
    })
    expect(events.map(({ data }) => data.eventId)).toEqual([one.eventId, other.eventId])
    expect(server.metrics.counted.filter(([counter]) => counter === 'MessagesDelivered')).toHaveLength(2)
  })

  it('gets a stream that is neither cached nor buffered, with the headers of every answer', async () => {
    const { stream } = await opened()
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      ...SECURED,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      vary: 'Origin',
      connection: 'close',
    })
    expect(stream.state.retry).toBe(2000)
  })

  it('receives the position of the stream at once, and in each pause, without an event', async () => {
    const time = virtualTime()
    const { server, stream } = await opened({ time })
    expect([stream.comments, stream.events]).toEqual([['quiet'], []])
    expect(stream.state.lastEventId).toBe(server.feed.cursor())
    for (const count of [2, 3]) {
      time.pass(QUIET_MS)
      await vi.waitUntil(() => stream.comments.length === count, { interval: 1 })
    }
  })

  it('misses nothing and receives nothing twice after a reconnect with the last id', async () => {
    const { server, stream: first } = await opened()
    const told: string[] = []
    /** Two changes, which whoever is there hears, and two more once nobody is. */
    async function listen(stream: typeof first, missed: number): Promise<string> {
      tell(server, change(), change())
      told.push(...(await stream.heard(missed + 2)).map(({ data }) => data.eventId))
      stream.close()
      await vi.waitUntil(() => server.streams.open === 0, { interval: 1 })
      tell(server, change(), change())
      return stream.state.lastEventId
    }
    const from = made
    let lastEventId = await listen(first, 0)
    for (let round = 0; round < 3; round++) {
      const stream = await openEventStream(server.stream, asAdmin({ 'last-event-id': lastEventId }))
      lastEventId = await listen(stream, 2)
    }
    expect(told).toEqual(Array.from({ length: 14 }, (_, index) => `e${from + index + 1}`))
  })

  it('filters by source, type and status, with several values of each', async () => {
    const query = '?source=stripe&source=github&status=FAILED&status=RETRY&type=push&type='
    const { server, stream } = await opened({}, undefined, query)
    const wanted = { source: 'github', status: 'RETRY', eventType: 'push' }
    const others = [{ source: 'shop' }, { status: 'PROCESSED' }, { eventType: 'pull' }]
    for (const other of others) server.feed.hear(change({ ...wanted, ...other }))
    server.feed.hear(change(wanted))
    const [first] = await stream.heard(1)
    expect(first?.data).toMatchObject(wanted)
  })

  it.each([
    ['status', '?status=FAILED&status=DEAD', {}, 'FAILED,DEAD'],
    ['limit', '?limit=1', {}, '1'],
    ['Last-Event-ID', '', { 'last-event-id': 'AAAA' }, 'AAAA'],
    ['Last-Event-ID', '', { 'last-event-id': ['AAAAAAAAAAA', 'AAAAAAAAAAA'] }, 'AAAAAAAAAAA, AAAAAAAAAAA'],
  ])('is refused with the name of the wrong parameter: %s', async (field, query, headers, rejectedValue) => {
    const { status, body } = await answerOf(await stompServer(), { headers: { ...asAdmin(), ...headers }, query })
    expect([status, body.path]).toEqual([400, PATH])
    expect(body.details.validationErrors[0]).toMatchObject({ field, rejectedValue })
  })

  it('with an empty Last-Event-ID, as some clients send it, starts now', async () => {
    expect((await opened({}, asAdmin({ 'last-event-id': '' }))).stream.status).toBe(200)
  })
})

describe('a caller who is not an admin is refused, as by the API', () => {
  const REALM = 'Bearer realm="API"'
  const INVALID = `${REALM}, error="invalid_token"`
  const IN_COOKIE = { cookie: `t=${adminToken()}` }
  const TICKET = { authorization: 'Ticket x' }
  const BASIC = { authorization: 'Basic YTpi' }
  const REQUIRED = 'Authentication required'
  const onlyOneIn = (place: string) => `A token counts in the Authorization header only; one came in ${place}`

  it.each<[string, Sent, string, string, object | undefined]>([
    ['nothing', {}, 'Authentication required', REALM, undefined],
    [
      'T02 a token in the address',
      { query: `?token=${adminToken()}` },
      REQUIRED,
      REALM,
      { reason: onlyOneIn('the query') },
    ],
    ['T02 a token in a cookie', { headers: IN_COOKIE }, REQUIRED, REALM, { reason: onlyOneIn('a cookie') }],
    ['another scheme', { headers: BASIC }, REQUIRED, REALM, { accepted: ['Bearer', 'Ticket', 'X-Api-Key'] }],
    ['a bad token', { headers: bearer('x') }, 'Invalid or expired JWT token', INVALID, { tokenStatus: 'MALFORMED' }],
    ['a bad key', { headers: { 'x-api-key': 'x' } }, 'Invalid API key', REALM, { authType: 'API Key' }],
    ['a bad ticket', { headers: TICKET }, 'Invalid or expired live ticket', REALM, { authType: 'Ticket' }],
  ])('401 with %s', async (_, sent, message, challenge, details) => {
    const { redeem: tickets } = await ticketWorld(systemClock)
    const server = await stompServer({ keys: new MemoryKeys(), tickets })
    const { status, headers, body } = await answerOf(server, sent)
    expect([status, body]).toMatchObject([401, { status: 401, error: 'Unauthorized', message, path: PATH }])
    expect(headers).toMatchObject({ ...SECURED, 'www-authenticate': challenge, 'content-type': 'application/json' })
    if (details) expect(body.details).toMatchObject(details)
    else expect(body).not.toHaveProperty('details')
    const [refusal] = server.metrics.counted
    expect(refusal).toEqual(['ChannelRefused', { channel: 'stream', reason: expect.any(String) }])
  })

  it('401 with a token whose account has ended', async () => {
    const server = await stompServer({ accounts: noAccount })
    const { status, body } = await answerOf(server, { headers: asAdmin() })
    expect([status, body.details.tokenStatus]).toEqual([401, 'REVOKED'])
  })

  it('403 with the role of a user', async () => {
    const { status, body } = await answerOf(await stompServer(), { headers: bearer(userToken()) })
    expect([status, body.error]).toEqual([403, 'Access Denied'])
    const details = { requiredRole: 'ROLE_ADMIN', userRoles: ['ROLE_USER'], resource: PATH, action: 'GET' }
    expect(body.details).toEqual(details)
  })

  it.each<[string, Sent['headers']]>([
    ['two tokens', { authorization: [`Bearer ${adminToken()}`, `Bearer ${adminToken()}`] }],
    ['a token and a key', { ...asAdmin(), 'x-api-key': 'ghk_x' }],
  ])('400 with %s: none is used', async (_, headers = {}) => {
    expect((await answerOf(await stompServer(), { headers })).status).toBe(400)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('405 with %s', async (method) => {
    const { status, headers, body } = await answerOf(await stompServer(), { method, headers: asAdmin() })
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(body?.details).toEqual({ requestMethod: method, supportedMethods: ['GET', 'HEAD'] })
  })

  it('404 at another spelling of the path', async () => {
    const { http } = await stompServer()
    for (const path of [`${PATH}/`, `/${PATH}`, PATH.toUpperCase(), `${PATH};a`, '/api/webhooks%2Fstream']) {
      expect((await fetch(`${http}${path}`, { headers: asAdmin() })).status).toBe(404)
    }
  })
})

describe('HEAD', () => {
  it('ends after the headers of the stream, and takes no place', async () => {
    const { server, stream } = await opened()
    const { status, headers, body } = await answerOf(server, { method: 'HEAD', headers: asAdmin() })
    expect([status, body]).toEqual([200, undefined])
    const { date: _, ...others } = headers
    expect(Object.fromEntries(stream.headers)).toMatchObject(others)
    expect([server.streams.open, server.admission.taken]).toEqual([1, 1])
  })

  it.each([
    ['without credentials', {}, 401],
    ['of a user', { headers: bearer(userToken()) }, 403],
  ])('%s is refused like GET, without a body', async (_, sent, wanted) => {
    const server = await stompServer()
    const [get, head] = [await answerOf(server, sent), await answerOf(server, { ...sent, method: 'HEAD' })]
    const kept = ({ headers: { date: _date, 'transfer-encoding': _coding, ...headers } }: typeof get) => headers
    expect([get.status, head.status, head.body]).toEqual([wanted, wanted, undefined])
    expect(kept(head)).toEqual(kept(get))
  })
})

describe('a machine with a key', () => {
  it('K18 receives the events of its sources, under ids that name no others', async () => {
    const keys = new MemoryKeys()
    const { key, text: held } = newApiKey({ sources: ['shop'], expiresAt: new Date(Date.now() + 3_600_000) })
    await keys.add(key)
    const { server, stream } = await opened({ keys }, { 'x-api-key': held })
    server.feed.hear(change({ source: 'bank' }))
    server.feed.hear(change({ source: 'shop', eventId: 'b' }))
    const [first] = await stream.heard(1)
    expect(first?.data).toMatchObject({ source: 'shop', eventId: 'b' })
    expect([...(WatchCursor.read(first?.id ?? '')?.named ?? [])]).toEqual([hashOf({ source: 'shop', eventId: 'b' })])
    const asked = { headers: { 'x-api-key': held }, query: '?source=shop&source=bank' }
    expect((await answerOf(server, asked)).body).toMatchObject({ status: 403, details: { sources: ['shop'] } })
  })
})

describe('a page', () => {
  const CORS = 'access-control-allow-origin'

  it.each([OWN_ORIGIN, TRUSTED_ORIGIN])('of %s may send requests, and read the answer', async (origin) => {
    const server = await stompServer()
    const headers = { origin, 'access-control-request-method': 'GET' }
    const preflight = await answerOf(server, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      ...SECURED,
      [CORS]: origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Authorization, Last-Event-ID, X-Api-Key',
      vary: 'Origin',
    })
    const stream = await openEventStream(server.stream, asAdmin({ origin }))
    expect([stream.status, stream.headers.get(CORS)]).toEqual([200, origin])
    const refused = await answerOf(server, { headers: { origin } })
    expect([refused.status, refused.headers[CORS]]).toEqual([401, origin])
    expect(refused.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  })

  it.each(['https://evil.test', 'null', `${OWN_ORIGIN}.evil.test`])('T02 of %s may do neither', async (origin) => {
    const server = await stompServer()
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answers = [await answerOf(server, { method: 'OPTIONS', headers }), await answerOf(server, { headers })]
    expect(answers.map(({ status }) => status)).toEqual([405, 401])
    for (const answer of answers) expect(Object.keys(answer.headers).join()).not.toContain('access-control')
  })
})

describe('a stream ends', () => {
  it('T06 with its token, and the last event names this reason', async () => {
    const time = virtualTime()
    const token = signToken(claimsOf({ role: 'ROLE_ADMIN', exp: Math.floor(Date.now() / 1000) + 20 }))
    const { server, stream } = await opened({ time }, bearer(token))
    time.pass(20_000)
    const last = await stream.over()
    expect(last).toMatchObject({ type: 'end', data: { status: 401, path: PATH, details: { tokenStatus: 'EXPIRED' } } })
    expect([server.streams.open, server.admission.taken, time.pending()]).toEqual([0, 0, 0])
    expect(server.log.entries).toContainEqual(expect.objectContaining({ level: 'info', message: 'stream ended' }))
  })

  it('S23 with the login session of its ticket, which opens no other stream', async () => {
    const time = virtualTime()
    const { redeem: tickets, issue, logOut } = await ticketWorld(systemClock)
    const headers = { authorization: `Ticket ${(await issue()).ticket}` }
    const { server, stream } = await opened({ time, tickets }, headers)
    expect(stream.status).toBe(200)
    expect((await answerOf(server, { headers })).body).toMatchObject({ details: { reason: 'Bad credentials' } })
    await logOut()
    time.pass(30_000)
    expect(await stream.over()).toMatchObject({ type: 'end', data: { details: { reason: 'Session ended' } } })
  })

  it('with its key', async () => {
    const time = virtualTime()
    const keys = new MemoryKeys()
    const { key, text: held } = newApiKey({ expiresAt: new Date(Date.now() + 1000) })
    await keys.add(key)
    const { stream } = await opened({ time, keys }, { 'x-api-key': held })
    keys.isDown = true
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 })
    time.pass(30_000)
    expect(await stream.over()).toMatchObject({ data: { status: 503 } })
    vi.useRealTimers()
  })

  it('when the server stops, and no other is opened', async () => {
    const { server, stream } = await opened()
    const gone = server.drain(500)
    expect(await stream.over()).toMatchObject({ type: 'end', data: { status: 503, path: PATH } })
    await gone
    expect([server.metrics.counted, server.log.entries]).toEqual([[], []])
  })

  it('silently when its client is gone, and leaves nothing', async () => {
    const time = virtualTime()
    const { server, stream } = await opened({ time })
    stream.close()
    await vi.waitUntil(() => server.admission.taken === 0, { interval: 1 })
    expect([server.streams.open, time.pending()]).toEqual([0, 0])
    expect([server.metrics.counted, server.log.entries]).toEqual([[], []])
  })

  it('T09 as slow when its client does not read for half a minute', async () => {
    const time = virtualTime()
    const server = await stompServer({ time })
    const socket = await openSocket(server.http)
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken()}\r\n\r\n`)
    await vi.waitUntil(() => server.streams.open === 1, { interval: 1 })
    socket.pause()
    const eventType = 'x'.repeat(2 ** 20)
    // More than the buffers of two sockets take.
    for (let sent = 0; sent < 24; sent++) {
      server.feed.hear(change({ eventType }))
      await new Promise(setImmediate)
    }
    time.pass(30_000)
    await vi.waitUntil(() => server.streams.open === 0, { interval: 1 })
    expect(server.metrics.counted).toContainEqual(['SlowClients', {}])
    expect(server.log.entries).toMatchObject([
      { level: 'info', message: 'stream ended', fields: { reason: 'the client reads too slowly' } },
    ])
    time.pass(2000)
    await vi.waitUntil(() => time.pending() === 0, { interval: 1 })
  })
})

describe('places are limited', () => {
  it('T08 for a user, over STOMP and here together', async () => {
    const server = await stompServer({ connectionsPerUser: 2 })
    const { client } = await server.client({ connectHeaders: { Authorization: `Bearer ${adminToken()}` } })
    const stream = await openEventStream(server.stream, asAdmin())
    const { status, headers } = await answerOf(server, { headers: asAdmin() })
    expect([status, headers['retry-after']]).toEqual([429, '5'])
    await client.deactivate()
    await vi.waitUntil(() => server.admission.taken === 1, { interval: 1 })
    const other = await openEventStream(server.stream, asAdmin())
    expect([stream.status, other.status, server.streams.open]).toEqual([200, 200, 2])
  })

  it('T08 in total', async () => {
    const { server } = await opened({ connections: 1 })
    expect(
      (await answerOf(server, { headers: bearer(signToken(claimsOf({ sub: 'b', role: 'ROLE_ADMIN' }))) })).status,
    ).toBe(503)
  })

  it('T19 for callers without a token, which a stream leaves to the next one', async () => {
    const server = await stompServer({ anonymous: { perAddress: 1 } })
    const silent = await openSocket(server.http)
    expect((await fetch(server.stream, { headers: asAdmin() })).status).toBe(503)
    silent.destroy()
    await vi.waitUntil(async () => (await fetch(`${server.http}/healthz`)).status === 200, { interval: 20 })
    for (let count = 1; count <= 3; count++) {
      await vi.waitUntil(async () => (await openEventStream(server.stream, asAdmin())).status === 200, { interval: 20 })
    }
    expect(server.streams.open).toBe(3)
  })

  it('T19 for callers without a token behind a proxy, by the address that it names', async () => {
    const server = await stompServer({ proxies: ['127.0.0.1'], anonymous: { perAddress: 1 } })
    const [from, elsewhere] = [{ 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '198.51.100.1' }]
    await server.wire({ headers: from }).opened
    const { status, headers, body } = await answerOf(server, { headers: asAdmin(from) })
    expect([status, headers['retry-after'], body.path]).toEqual([503, '5', PATH])
    expect(server.log.entries.map(({ message }) => message)).toEqual([expect.stringContaining('no place')])
    expect((await openEventStream(server.stream, asAdmin(elsewhere))).status).toBe(200)
  })

  it('T19 to one stream on a connection: a further request after it ends it', async () => {
    const server = await stompServer()
    const socket = await openSocket(server.http)
    const request = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken()}\r\n\r\n`
    socket.write(request)
    await vi.waitUntil(() => server.streams.open === 1, { interval: 1 })
    socket.write(request)
    await vi.waitUntil(() => server.streams.open === 0, { interval: 1 })
    expect(server.admission.taken).toBe(0)
  })
})
