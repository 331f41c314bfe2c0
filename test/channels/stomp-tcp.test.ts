import { Buffer } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stompServer, userToken } from '../support/stomp-server.ts'

type Server = Awaited<ReturnType<typeof stompServer>>
type Tcp = Awaited<ReturnType<Server['tcp']>>

const connectFrame = () => `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${userToken()}\n\n\0`
const SUBSCRIBE = 'SUBSCRIBE\nid:0\ndestination:/topic/public/a\nreceipt:subscribed\n\n\0'
const send = (body: string) => `SEND\ndestination:/topic/public/a\n\n${body}\0`
const DISCONNECT = 'DISCONNECT\nreceipt:bye\n\n\0'

async function connected(server: Server, localAddress?: string): Promise<Tcp> {
  const tcp = await server.tcp(localAddress)
  tcp.socket.write(connectFrame() + SUBSCRIBE)
  await tcp.heard('RECEIPT')
  return tcp
}

/** What one who connects is told first. */
async function firstAnswer(server: Server): Promise<string> {
  const { socket, heard } = await server.tcp()
  socket.write(connectFrame())
  return heard('\0')
}

describe('a session over TCP', () => {
  it.each([
    ['all at once', Number.POSITIVE_INFINITY],
    ['byte by byte', 1],
    ['in pieces of seven bytes', 7],
  ])('is the same as over WebSocket, if the client sends %s', async (_, size) => {
    const { socket, all } = await (await stompServer()).tcp()
    socket.setNoDelay()
    const bytes = Buffer.from(connectFrame() + SUBSCRIBE + send('over TCP ✓') + DISCONNECT)
    for (let from = 0; from < bytes.length; from += size) {
      socket.write(bytes.subarray(from, from + size))
      await setImmediate()
    }
    expect(await all()).toMatch(/^CONNECTED\n.*RECEIPT\n.*MESSAGE\n.*over TCP ✓\0.*RECEIPT\nreceipt-id:bye\n\n\0$/s)
  })

  it('shares destinations with those over WebSocket', async () => {
    const server = await stompServer()
    const { heard } = await connected(server)
    const { client } = await server.client()
    client.publish({ destination: '/topic/public/a', body: 'from a browser' })
    expect(await heard('from a browser')).toContain('MESSAGE')
  })

  it.each([
    ['a bad token', 'CONNECT\naccept-version:1.2\nAuthorization:Bearer a.b.c\n\n\0', 'token-status:MALFORMED', 401],
    ['no token', 'CONNECT\naccept-version:1.2\n\n\0', 'token-status:MISSING', 401],
    ['another frame first', SUBSCRIBE, 'token-status:MISSING', 401],
    ['HTTP', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 'Validation failed', 400],
  ])('with %s gets a complete ERROR frame, and ends', async (_, text, header, status) => {
    const { socket, all } = await (await stompServer()).tcp()
    socket.write(text)
    const heard = await all()
    expect(heard).toMatch(/^ERROR\n[^\0]+\0$/)
    expect(heard).toContain(header)
    expect(heard).toContain(`"status":${status}`)
  })

  it('T04 with more than 8 KiB before CONNECTED ends', async () => {
    const { socket, all } = await (await stompServer()).tcp()
    socket.write(`CONNECT\n${'x'.repeat(4000)}:x\n${'y'.repeat(5000)}:y\n`)
    expect(await all()).toContain('"status":413')
  })

  it('T12 without CONNECT ends after its time limit', async () => {
    const { all } = await (await stompServer({ limits: { connectTimeout: 50 } })).tcp()
    expect(await all()).toContain('token-status:MISSING')
  })

  it('ends when its client ends it', async () => {
    const server = await stompServer({ connections: 1 })
    const { socket, all } = await connected(server)
    socket.end()
    await all()
    await expect.poll(() => firstAnswer(server)).toMatch(/^CONNECTED/)
  })

  it('ends when the client does not read', async () => {
    const server = await stompServer()
    const { socket, all } = await connected(server)
    socket.pause()
    const body = Buffer.alloc(65_536, 'x')
    for (let count = 0; count < 1000 && server.log.of('stomp refused').length === 0; count++) {
      await server.bus.publish([{ destination: '/topic/public/a', headers: {}, body }])
      await setImmediate()
    }
    expect(server.log.of('stomp refused')).toMatchObject([{ code: 'UNAVAILABLE' }])
    socket.resume()
    expect(await all()).toMatch(/ERROR\nmessage:Service temporarily unavailable\n[^\0]+\0$/)
  })
})

describe('T08 places are counted over both transports', () => {
  it('in all: a client that sends CONNECT when there is none receives an error', async () => {
    const server = await stompServer({ connections: 1 })
    const wire = server.wire()
    await wire.opened
    wire.socket.send(connectFrame())
    await wire.heard('CONNECTED')
    const { socket, all } = await server.tcp()
    socket.write(connectFrame())
    expect(await all()).toMatch(/^ERROR\nmessage:Service temporarily unavailable\n.*"status":503.*\0$/s)
    wire.socket.close()
    await wire.closed
    await expect.poll(() => firstAnswer(server)).toMatch(/^CONNECTED/)
  })

  it('T19 and none is taken by clients without a CONNECT, which are limited per address', async () => {
    const server = await stompServer({ connections: 1, strangers: { perAddress: 2 } })
    await Promise.all([server.tcp(), server.tcp()])
    expect(await (await server.tcp()).all()).toMatch(/^ERROR\nmessage:Service temporarily unavailable\n/)
    await connected(server, '127.0.0.2')
  })

  it('of each user', async () => {
    const server = await stompServer({ connectionsPerUser: 1 })
    await server.client()
    const { socket, all } = await server.tcp()
    socket.write(connectFrame())
    expect(await all()).toMatch(/^ERROR\nmessage:Too many requests\n.*retry-after:/s)
  })
})

describe('a server that drains', () => {
  it('ends all sessions, accepts no new one and ends', async () => {
    const server = await stompServer()
    const open = await Promise.all(Array.from({ length: 10 }, () => connected(server)))
    const drained = server.drain(500)
    await Promise.all(open.map(({ all }) => all()))
    await drained
    const late = await server.tcp().catch((error: NodeJS.ErrnoException) => error.code)
    expect(late).toBe('ECONNREFUSED')
  })

  it('ends, whatever its clients do', async () => {
    const server = await stompServer()
    const { socket } = await connected(server)
    socket.pause()
    await server.drain(100)
    await expect(server.tcp()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
