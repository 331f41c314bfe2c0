import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { gone } from '../support/raw-http2.ts'
import { openSocket } from '../support/raw-socket.ts'
import { OWN_ORIGIN, stompServer, TRUSTED_ORIGIN, userToken } from '../support/stomp-server.ts'

type Server = Awaited<ReturnType<typeof stompServer>>
type Wire = ReturnType<Server['wire']>

const connectFrame = (more = '') => `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${userToken()}\n${more}\n\0`
const SUBSCRIBE = 'SUBSCRIBE\nid:0\ndestination:/topic/public/a\nreceipt:subscribed\n\n\0'
const send = (body: string) => `SEND\ndestination:/topic/public/a\n\n${body}\0`

/** The status of an upgrade that is not made, or `open`. */
async function answerTo(wire: Wire): Promise<number | 'open'> {
  const refused = once(wire.socket, 'unexpected-response').then(([, response]) => response.statusCode as number)
  return Promise.race([refused, wire.opened.then(() => 'open' as const)])
}

async function connected(server: Server): Promise<Wire> {
  const wire = server.wire()
  await wire.opened
  wire.socket.send(connectFrame() + SUBSCRIBE)
  await wire.heard('RECEIPT')
  return wire
}

describe('a WebSocket is opened', () => {
  it.each([
    ['T02 without an Origin, which every browser sends', undefined, 'open'],
    ['from a page of the service', OWN_ORIGIN, 'open'],
    ['from a trusted page', TRUSTED_ORIGIN, 'open'],
    ['T02 not from a foreign page', 'https://evil.test', 403],
    ['T02 not from a page without an origin', 'null', 403],
    ['T02 not from a page whose name begins like that of the service', `${OWN_ORIGIN}.evil.test`, 403],
  ])('%s', async (_, origin, expected) => {
    const server = await stompServer()
    expect(await answerTo(server.wire(origin === undefined ? {} : { origin }))).toBe(expected)
  })

  it('T15 at /ws only', async () => {
    const server = await stompServer()
    const statuses = ['/', '/ws/', '/WS', '/ws2', '//ws'].map((path) =>
      answerTo(server.wire({}, server.url.replace('/ws', path).replace('ws:/127', 'ws://127'))),
    )
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([404]))
  })

  it.each([
    [['v10.stomp', 'v12.stomp', 'v11.stomp'], 'v12.stomp'],
    [['other', 'v11.stomp'], 'v11.stomp'],
    [[], ''],
  ])('with the best sub-protocol of %j', async (offered, chosen) => {
    const server = await stompServer()
    const wire = server.wire({}, server.url, offered)
    await wire.opened
    expect([wire.socket.protocol, wire.socket.extensions]).toEqual([chosen, ''])
  })

  it('T02 for a client whose Origin is the host of the server', async () => {
    const server = await stompServer()
    expect(await answerTo(server.wire({ origin: server.http }))).toBe('open')
  })

  it('T02 or refused with the reason in the answer and in the log', async () => {
    const server = await stompServer()
    const { socket } = server.wire({ origin: 'https://evil.test' })
    const [, answer] = await once(socket, 'unexpected-response')
    const reason = 'the Origin is neither that of BASE_URL, nor of TRUSTED_ORIGINS, nor of the host that is asked'
    expect(await text(answer)).toBe(`Forbidden: ${reason}\n`)
    const host = new URL(server.http).host
    expect(server.log.of(`port: rejected, ${reason}`)).toEqual([
      { address: '127.0.0.1', origin: 'https://evil.test', host },
    ])
  })

  it('T20 by loopback names only on a local run', async () => {
    const server = await stompServer({ isLocal: true })
    const rebound = { headers: { host: 'evil.test' }, origin: 'http://evil.test' }
    expect(await answerTo(server.wire(rebound))).toBe(421)
    expect(await answerTo(server.wire())).toBe('open')
    const [answer]: IncomingMessage[] = await once(
      get(`${server.http}/healthz`, { headers: rebound.headers }),
      'response',
    )
    expect([answer?.statusCode, (await fetch(`${server.http}/healthz`)).status]).toEqual([421, 200])
  })
})

/** Whether a client with a token gets in from there. */
async function isLetIn(server: Server, localAddress: string, headers = {}): Promise<boolean> {
  const wire = server.wire({ localAddress, headers })
  wire.closed.catch(() => {})
  const isOpened = await wire.opened.then(
    () => true,
    () => false,
  )
  if (!isOpened) return false
  wire.socket.send(connectFrame())
  return (await wire.heard('\0')).startsWith('CONNECTED')
}

describe('T08 places', () => {
  it('for clients with a token are not taken by those without', async () => {
    const server = await stompServer({ connections: 2, strangers: { perAddress: 3 } })
    const silent = await Promise.all([1, 2, 3].map(() => openSocket(server.http)))
    expect(await isLetIn(server, '127.0.0.2')).toBe(true)
    expect(await isLetIn(server, '127.0.0.2')).toBe(true)
    expect(await isLetIn(server, '127.0.0.2')).toBe(false)
    for (const socket of silent) socket.destroy()
  })

  it('a client occupies one of them from CONNECTED on, and no place of clients without a token', async () => {
    const server = await stompServer({ strangers: { perAddress: 1 } })
    await connected(server)
    await connected(server)
    const opened = server.wire()
    await opened.opened
    expect(await answerTo(server.wire())).toBe(503)
    opened.socket.close()
    await opened.closed
    await connected(server)
  })
})

describe('T19 connections without a token', () => {
  it.each([
    ['that never send a request', ''],
    ['that never complete a request', 'GET /ws HTTP/1.1\r\nHost: x\r\n'],
    ['that have received an answer', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s are limited in number per address', async (_, bytes) => {
    const server = await stompServer({ strangers: { perAddress: 2 } })
    for (const _place of [1, 2]) (await openSocket(server.http)).write(bytes)
    expect(await isLetIn(server, '127.0.0.1')).toBe(false)
    expect(await isLetIn(server, '127.0.0.2')).toBe(true)
    expect(server.log.of('port: rejected, no place without a token, per address')).toEqual([{ address: '127.0.0.1' }])
  })

  it('that take all places are replaced by one from another address', async () => {
    const server = await stompServer({ strangers: { inAll: 2 } })
    const [oldest, second] = [server.wire(), server.wire()]
    await Promise.all([oldest.opened, second.opened])
    expect(await isLetIn(server, '127.0.0.2')).toBe(true)
    const [gone, there] = oldest.socket.readyState === oldest.socket.OPEN ? [second, oldest] : [oldest, second]
    expect((await gone.closed).code).toBe(1006)
    expect(there.socket.readyState).toBe(there.socket.OPEN)
  })

  it('behind a trusted proxy are counted by the addresses that it names, apart from the address of the proxy', async () => {
    const server = await stompServer({ strangers: { inAll: 2, perAddress: 1 }, proxies: ['127.0.0.9'] })
    const behind = (address: string) =>
      server.wire({ localAddress: '127.0.0.9', headers: { 'x-forwarded-for': address } })
    for (const address of ['192.0.2.1', '192.0.2.2']) expect(await answerTo(behind(address))).toBe('open')
    expect(await answerTo(behind('198.51.100.9, 192.0.2.1'))).toBe(503)
    const health = get(`${server.http}/healthz`, { localAddress: '127.0.0.9' })
    const [answer]: IncomingMessage[] = await once(health, 'response')
    expect(answer?.statusCode).toBe(200)
    expect(await isLetIn(server, '127.0.0.9', { 'x-forwarded-for': '192.0.2.3' })).toBe(true)
  })
})

describe.concurrent('T04, T19 before CONNECTED', () => {
  it('T19 connections that send a request too slowly are disconnected', async () => {
    const server = await stompServer()
    const socket = await openSocket(server.http)
    socket.write('GET /ws HTTP/1.1\r\n')
    await gone(socket)
  })

  it.each([
    ['one without an end', (wire: Wire) => wire.socket.send('x'.repeat(20_000), { fin: false })],
    [
      'fragments without end',
      (wire: Wire) => {
        for (let count = 0; count < 3000; count++) wire.socket.send('\n\n\n\n\n\n', { fin: false })
      },
    ],
    ['one of 8 KiB and a byte', (wire: Wire) => wire.socket.send('\n'.repeat(8193))],
  ])('a message of more than 8 KiB ends the connection with 1009: %s', async (_, say) => {
    const wire = (await stompServer()).wire()
    await wire.opened
    say(wire)
    expect(await wire.heard('ERROR')).toContain('"status":413')
    expect((await wire.closed).code).toBe(1009)
  })

  it('and no frame of 60 KiB ends it after CONNECTED', async () => {
    const wire = await connected(await stompServer())
    wire.socket.send(send('x'.repeat(60_000)))
    expect(await wire.heard('xxx')).toContain('MESSAGE')
  })
})

describe('T02 a token outside of the CONNECT frame', () => {
  it.each([
    ['in the query string', '?access_token=', {}],
    ['in a cookie', '', { cookie: 'token=' }],
    ['in the header of the upgrade', '', { authorization: 'Bearer ' }],
  ])('is ignored: %s', async (_, query, headers) => {
    const server = await stompServer()
    const token = userToken()
    const filled = Object.entries(headers).map(([name, value]) => [name, `${value}${token}`])
    const wire = server.wire({ headers: Object.fromEntries(filled) }, server.url + (query && query + token))
    await wire.opened
    wire.socket.send('CONNECT\naccept-version:1.2\n\n\0')
    expect(await wire.heard('ERROR')).toContain('token-status:MISSING')
    expect((await wire.closed).code).toBe(1008)
  })
})

describe('bytes in pieces of any size', () => {
  it('T03 one byte per message', async () => {
    const wire = (await stompServer()).wire()
    await wire.opened
    for (const byte of Buffer.from(connectFrame() + SUBSCRIBE + send('hello'))) wire.socket.send(Buffer.from([byte]))
    expect(await wire.heard('hello')).toContain('MESSAGE')
  })

  it('one message in fragments of three bytes', async () => {
    const wire = await connected(await stompServer())
    const bytes = Buffer.from(send('fragments'))
    for (let from = 0; from < bytes.length; from += 3) {
      wire.socket.send(bytes.subarray(from, from + 3), { fin: from + 3 >= bytes.length })
    }
    expect(await wire.heard('fragments')).toContain('MESSAGE')
  })

  it('T04 a million fragments end the connection, and use no memory', async () => {
    const wire = await connected(await stompServer())
    const before = process.memoryUsage().rss
    for (let count = 0; count < 1_000_000 && wire.socket.readyState === wire.socket.OPEN; count++) {
      wire.socket.send('x', { fin: false })
      if (count % 1000 === 0) await new Promise(setImmediate)
    }
    expect((await wire.closed).code).toBe(1008)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20)
  })

  it('T04 a body of 65,537 bytes is refused with ERROR and 1009', async () => {
    const wire = await connected(await stompServer())
    wire.socket.send(send('x'.repeat(65_537)))
    expect(await wire.heard('ERROR')).toContain('"status":413')
    expect((await wire.closed).code).toBe(1009)
  })

  it('T04 a message above 128 KiB ends the connection with 1009', async () => {
    const wire = await connected(await stompServer())
    wire.socket.send('\n'.repeat(2 ** 17 + 1))
    expect((await wire.closed).code).toBe(1009)
  })

  it('T14 text that is not UTF-8 ends the connection', async () => {
    const wire = await connected(await stompServer())
    wire.socket.send(Buffer.from([0xff]), { binary: false })
    expect((await wire.closed).code).toBe(1007)
  })

  it('bytes that are not UTF-8 arrive as binary, and all others as text', async () => {
    const server = await stompServer()
    const wire = await connected(server)
    const kinds: boolean[] = []
    wire.socket.on('message', (_, isBinary) => kinds.push(isBinary))
    for (const body of ['text ✓', Buffer.from([0xff])]) {
      await server.bus.publish([{ destination: '/topic/public/a', headers: {}, body: Buffer.from(body) }])
    }
    await expect.poll(() => kinds).toEqual([false, true])
  })
})

describe('a server', () => {
  it('T06 ends a session without heart-beats', async () => {
    const wire = (await stompServer({ limits: { heartBeat: 100 } })).wire()
    await wire.opened
    wire.socket.send(connectFrame('heart-beat:100,0\n'))
    expect(await wire.heard('ERROR')).toContain('heart-beats must come as agreed')
    expect((await wire.closed).code).toBe(1002)
  })

  it('T09 ends the session of a client that does not read: ERROR and 1013', async () => {
    const server = await stompServer()
    const wire = await connected(server)
    wire.socket.pause()
    const body = Buffer.alloc(65_536, 'x')
    for (let count = 0; count < 1000 && server.log.of('stomp refused').length === 0; count++) {
      await server.bus.publish([{ destination: '/topic/public/a', headers: {}, body }])
      await new Promise(setImmediate)
    }
    expect(server.log.of('stomp refused')).toMatchObject([{ code: 'UNAVAILABLE' }])
    wire.socket.resume()
    expect((await wire.closed).code).toBe(1013)
  })

  it('that drains closes all sessions with 1001, accepts no new one and ends', async () => {
    const server = await stompServer()
    const wires = await Promise.all(Array.from({ length: 10 }, () => connected(server)))
    const drained = server.drain(500)
    const codes = await Promise.all(wires.map(async ({ closed }) => (await closed).code))
    expect(codes).toEqual(Array.from({ length: 10 }, () => 1001))
    await drained
    await expect(fetch(`${server.http}/healthz`)).rejects.toThrow()
  })

  it('that drains ends, whatever its clients do', async () => {
    const server = await stompServer()
    const wire = await connected(server)
    wire.socket.pause()
    await server.drain(100)
    await expect(fetch(`${server.http}/healthz`)).rejects.toThrow()
  })

  it('that drains answers 503 to a client that had begun a request', async () => {
    const server = await stompServer()
    await connected(server)
    const { hostname, port } = new URL(server.http)
    const socket = connect(Number(port), hostname)
    socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n')
    await expect(fetch(`${server.http}/healthz`)).resolves.toMatchObject({ status: 200 })
    const drained = server.drain(2000)
    socket.write('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n')
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 503 /)
    await drained
  })

  it('gives the place of a user to another session after the connection ends', async () => {
    const server = await stompServer({ connectionsPerUser: 1 })
    const first = await connected(server)
    first.socket.terminate()
    await first.closed
    await expect
      .poll(async () => {
        const wire = server.wire()
        await wire.opened
        wire.socket.send(connectFrame())
        return wire.heard('\0')
      })
      .toMatch(/^CONNECTED/)
  })

  it.each([
    ['/healthz', 200],
    ['/ws', 426],
    ['/ws?access_token=x', 426],
    ['/', 404],
  ])('T15 answers %s with %i', async (path, status) => {
    const { http } = await stompServer()
    const response = await fetch(http + path)
    expect([response.status, response.headers.get('x-content-type-options')]).toEqual([status, 'nosniff'])
  })
})
