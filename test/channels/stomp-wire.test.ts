import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
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
    ['T02 without an Origin, which no browser does', undefined, 'open'],
    ['from a page of its own', OWN_ORIGIN, 'open'],
    ['from a page that is trusted', TRUSTED_ORIGIN, 'open'],
    ['T02 from no foreign page', 'https://evil.test', 403],
    ['T02 from no page without an origin', 'null', 403],
    ['T02 from no page whose name begins like its own', `${OWN_ORIGIN}.evil.test`, 403],
  ])('%s', async (_, origin, expected) => {
    const server = await stompServer()
    expect(await answerTo(server.wire(origin === undefined ? {} : { origin }))).toBe(expected)
  })

  it('T15 at /ws alone', async () => {
    const server = await stompServer()
    const statuses = ['/', '/ws/', '/WS', '/ws2', '//ws'].map((path) =>
      answerTo(server.wire({}, server.url.replace('/ws', path).replace('ws:/127', 'ws://127'))),
    )
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([404]))
  })

  it.each([
    [['v10.stomp', 'v12.stomp', 'v11.stomp'], 'v12.stomp'],
    [['v10.stomp', 'other'], 'v10.stomp'],
    [[], ''],
  ])('with the best sub-protocol of %j', async (offered, chosen) => {
    const server = await stompServer()
    const wire = server.wire({}, server.url, offered)
    await wire.opened
    expect([wire.socket.protocol, wire.socket.extensions]).toEqual([chosen, ''])
  })

  it('T08 as often as there is room', async () => {
    const server = await stompServer({ connections: 1 })
    const first = server.wire()
    await first.opened
    expect(await answerTo(server.wire())).toBe(503)
    first.socket.close()
    await first.closed
    await expect.poll(() => answerTo(server.wire())).toBe('open')
  })
})

describe('T02 a token that is not in the CONNECT frame', () => {
  it.each([
    ['in the query string', '?access_token=', {}],
    ['in a cookie', '', { cookie: 'token=' }],
    ['in the header of the upgrade', '', { authorization: 'Bearer ' }],
  ])('is none: %s', async (_, query, headers) => {
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

describe('bytes in any pieces', () => {
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

  it('T04 a million fragments end the connection, and take no memory', async () => {
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

  it('what is no UTF-8 comes as binary, all else as text', async () => {
    const server = await stompServer()
    const wire = await connected(server)
    const kinds: boolean[] = []
    wire.socket.on('message', (_, isBinary) => kinds.push(isBinary))
    for (const body of ['text ✓', Buffer.from([0xff])]) {
      await server.bus.publish({ destination: '/topic/public/a', headers: {}, body: Buffer.from(body) })
    }
    await expect.poll(() => kinds).toEqual([false, true])
  })
})

describe('a server', () => {
  it('T06 ends a session whose heart-beats stay away', async () => {
    const wire = (await stompServer({ limits: { heartBeat: 100 } })).wire()
    await wire.opened
    wire.socket.send(connectFrame('heart-beat:100,0\n'))
    expect(await wire.heard('ERROR')).toContain('heart-beats must come as agreed')
    expect((await wire.closed).code).toBe(1002)
  })

  it('T09 gives up a client that does not read: ERROR and 1013', async () => {
    const server = await stompServer()
    const wire = await connected(server)
    wire.socket.pause()
    const body = Buffer.alloc(65_536, 'x')
    for (let count = 0; count < 1000 && server.log.of('stomp refused').length === 0; count++) {
      await server.bus.publish({ destination: '/topic/public/a', headers: {}, body })
      await new Promise(setImmediate)
    }
    expect(server.log.of('stomp refused')).toMatchObject([{ code: 'UNAVAILABLE' }])
    wire.socket.resume()
    expect((await wire.closed).code).toBe(1013)
  })

  it('that drains sends all away with 1001, takes no one new and ends', async () => {
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

  it('that drains answers 503 to one who had begun to ask', async () => {
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

  it('gives the place of a user to another session once the connection is gone', async () => {
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
