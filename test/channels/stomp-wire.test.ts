import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { gone } from '../support/raw-http2.ts'
import { openSocket } from '../support/raw-socket.ts'
import { stompServer, userToken } from '../support/stomp-server.ts'

type Server = Awaited<ReturnType<typeof stompServer>>
type Wire = ReturnType<Server['wire']>

const connectFrame = () => `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${userToken()}\n\n\0`
const SUBSCRIBE = 'SUBSCRIBE\nid:0\ndestination:/topic/public/a\nreceipt:subscribed\n\n\0'

const UPGRADE = `GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`

/** The head of a text frame of 12,000 bytes whose mask changes nothing (RFC 6455 section 5.2). */
const FRAME_OF_12_KB = Buffer.from([0x81, 0x80 | 126, 12_000 >> 8, 12_000 & 0xff, 0, 0, 0, 0])

function repeat(times: number, run: () => void): void {
  for (let count = 0; count < times; count++) run()
}

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
  it('T15 at /ws only, and not by HTTP', async () => {
    const server = await stompServer()
    expect(await answerTo(server.wire({}, server.url.replace(/ws$/, 'ws2')))).toBe(404)
    const { status, headers } = await fetch(`${server.http}/ws`)
    expect([status, headers.get('x-content-type-options')]).toEqual([426, 'nosniff'])
  })

  it('T02 not from a foreign page: refused with the reason in the answer and in the log', async () => {
    const server = await stompServer()
    const { socket } = server.wire({ origin: 'https://evil.test' })
    const [, answer] = await once(socket, 'unexpected-response')
    expect(answer.statusCode).toBe(403)
    const reason = 'the Origin is neither that of BASE_URL, nor of TRUSTED_ORIGINS, nor of the host that is asked'
    expect(await text(answer)).toBe(`Forbidden: ${reason}\n`)
    const host = new URL(server.http).host
    expect(server.log.of(`port: rejected, ${reason}`)).toEqual([
      { address: '127.0.0.1', origin: 'https://evil.test', host },
    ])
  })
})

describe.concurrent('T04, T19 before CONNECTED', () => {
  it('T19 connections that send a request too slowly are disconnected', async () => {
    const server = await stompServer()
    const socket = await openSocket(server.http)
    socket.write('GET /ws HTTP/1.1\r\n')
    await gone(socket)
  })

  it.each<[string, (wire: Wire) => void]>([
    ['in two fragments', ({ socket }) => repeat(2, () => socket.send('\n'.repeat(4100), { fin: false }))],
    ['in a thousand fragments', ({ socket }) => repeat(1000, () => socket.send('\n'.repeat(9), { fin: false }))],
    ['with the heads of its fragments', ({ socket }) => repeat(1200, () => socket.send('\n', { fin: false }))],
    ['in fragments that are empty', ({ socket }) => repeat(1400, () => socket.send('', { fin: false }))],
  ])('a message of more than 8 KiB %s ends the connection with 1009, although it has no end', async (_, send) => {
    const wire = (await stompServer()).wire()
    await wire.opened
    send(wire)
    expect(await wire.heard('ERROR')).toContain('"status":413')
    expect((await wire.closed).code).toBe(1009)
  })

  it('a frame of which more than 8 KiB came ends the connection, although the rest does not come', async () => {
    const server = await stompServer()
    const socket = await openSocket(server.http)
    const heard = text(socket)
    socket.write(UPGRADE)
    await once(socket, 'readable')
    socket.write(Buffer.concat([FRAME_OF_12_KB, Buffer.alloc(8300, '\n')]))
    expect(await heard).toContain('"status":413')
  })

  it.each([
    ['one frame', 8192],
    ['three fragments', 3000],
  ])('a CONNECT of 8 KiB in %s is taken', async (_, size) => {
    const wire = (await stompServer()).wire()
    await wire.opened
    const frame = connectFrame().replace('\n\n', `\npad:${'x'.repeat(8192 - connectFrame().length - 5)}\n\n`)
    expect(frame).toHaveLength(8192)
    for (let at = 0; at < frame.length; at += size)
      wire.socket.send(frame.slice(at, at + size), { fin: at + size >= frame.length, binary: false })
    expect(await wire.heard('CONNECTED')).toContain('version:1.2')
  })

  it('many small messages are taken', async () => {
    const wire = (await stompServer()).wire()
    await wire.opened
    repeat(2000, () => wire.socket.send('\n'))
    wire.socket.send(connectFrame())
    expect(await wire.heard('CONNECTED')).toContain('version:1.2')
  })
})

it('T02 a token in the query string, a cookie or the header of the upgrade is ignored', async () => {
  const server = await stompServer()
  const token = userToken()
  const headers = { cookie: `token=${token}`, authorization: `Bearer ${token}` }
  const wire = server.wire({ headers }, `${server.url}?access_token=${token}`)
  await wire.opened
  wire.socket.send('CONNECT\naccept-version:1.2\n\n\0')
  expect(await wire.heard('ERROR')).toContain('token-status:MISSING')
  expect((await wire.closed).code).toBe(1008)
})

describe('a WebSocket message', () => {
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

  it('T14 text that is not UTF-8 ends the connection', async () => {
    const wire = await connected(await stompServer())
    wire.socket.send(Buffer.from([0xff]), { binary: false })
    expect((await wire.closed).code).toBe(1007)
  })
})

describe('a server', () => {
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
})
