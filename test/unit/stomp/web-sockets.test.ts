import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { obstacleTo, subProtocolOf, webSocketTransport } from '../../../lib/stomp/web-sockets.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const PARTS = {
  baseUrl: new URL('https://api.example.com'),
  trustedOrigins: ['https://console.example.com'],
}

const request = (url: string, origin?: string, host = 'ws.example.com') =>
  ({ url, headers: { origin, host } }) as unknown as IncomingMessage

it.each([
  [['v10.stomp', 'v11.stomp', 'v12.stomp'], 'v12.stomp'],
  [['v10.stomp', 'v11.stomp'], 'v11.stomp'],
  [['mqtt', 'v10.stomp'], false],
  [['mqtt', ''], false],
  [[], false],
])('of the sub-protocols %j %s is selected', (offered, chosen) => {
  expect(subProtocolOf(new Set(offered))).toBe(chosen)
})

describe('a WebSocket is opened', () => {
  it.each([
    [undefined, 'ws.example.com'],
    ['https://api.example.com', 'ws.example.com'],
    ['https://console.example.com', 'ws.example.com'],
    ['https://ws.example.com', 'ws.example.com'],
    ['https://WS.example.com', 'ws.example.com:443'],
    ['wss://ws.example.com', 'ws.example.com'],
    ['http://[::1]:3001', '[0:0:0:0:0:0:0:1]:3001'],
  ])('T02 for a client with no Origin, ours, or that of its target host: %s at %s', (origin, host) => {
    expect(obstacleTo(request('/ws', origin, host), PARTS, false)).toBeUndefined()
  })

  it.each([
    ['https://ws.example.com.evil.example', 'ws.example.com'],
    ['https://evil.example', 'ws.example.com, evil.example'],
    ['https://ws.example.com', 'user@ws.example.com:1'],
    ['data:,x', 'x'],
    ['', 'ws.example.com'],
    ['http://api.example.com', 'ws.example.com'],
    ['null', 'null'],
  ])('T02 not for a page of %s with the host %s', (origin, host) => {
    expect(obstacleTo(request('/ws', origin, host), PARTS, false)).toMatchObject({
      status: 403,
      reason: 'the Origin is neither that of BASE_URL, nor of TRUSTED_ORIGINS, nor of the host that is asked',
    })
  })

  it.each(['/', '/ws/', '/WS', '//ws', '/ws%20'])('only at its path: not at %s', (url) => {
    expect(obstacleTo(request(url), PARTS, false)).toMatchObject({ status: 404 })
  })

  it('not while the server drains', () => {
    expect(obstacleTo(request('/ws?token=x'), PARTS, true)).toMatchObject({ status: 503 })
  })
})

function fakeSocket(readyState: number = WebSocket.OPEN) {
  const calls = { send: vi.fn(), close: vi.fn(), terminate: vi.fn() }
  const socket = Object.assign(new EventEmitter(), calls, { readyState, bufferedAmount: 7 })
  return { calls, socket, asSocket: socket as unknown as WebSocket }
}

/** The socket below, and how many pieces each call of the system was given. */
function carrierOf(pieces: number[] = []): Writable {
  return new Writable({
    writev(chunks, done) {
      pieces.push(chunks.length)
      done()
    },
  })
}

describe('a session over WebSocket', () => {
  it.each([
    ['text', Buffer.from('MESSAGE ✓\0'), false],
    ['bytes that are not UTF-8', Buffer.from([0xc3, 0x28]), true],
  ])('sends %s in their own type', (_, bytes, binary) => {
    const { calls, asSocket } = fakeSocket()
    webSocketTransport(asSocket, carrierOf(), virtualTime().timers).send(bytes)
    expect(calls.send).toHaveBeenCalledWith(bytes, { binary })
  })

  it('hands what it sends in one turn of the event loop to the system in one call', async () => {
    const pieces: number[] = []
    const carrier = carrierOf(pieces)
    const { calls, asSocket } = fakeSocket()
    calls.send.mockImplementation((bytes) => carrier.write(bytes))
    const { send } = webSocketTransport(asSocket, carrier, virtualTime().timers)
    send(Buffer.from('a'))
    await Promise.resolve()
    send(Buffer.from('b'))
    await setImmediate()
    send(Buffer.from('c'))
    send(Buffer.from('d'))
    send(Buffer.from('e'))
    await setImmediate()
    expect(pieces).toEqual([2, 3])
  })

  it('sends nothing after a close, and counts the bytes that the client has not read', () => {
    const { calls, asSocket } = fakeSocket(WebSocket.CLOSING)
    const transport = webSocketTransport(asSocket, carrierOf(), virtualTime().timers)
    transport.send(Buffer.from('\n'))
    expect(calls.send).not.toHaveBeenCalled()
    expect(transport.buffered()).toBe(7)
  })

  it('is terminated 2 seconds after a close without an answer', () => {
    const time = virtualTime()
    const { calls, asSocket } = fakeSocket()
    webSocketTransport(asSocket, carrierOf(), time.timers).close(1013, 'slow')
    expect(calls.close).toHaveBeenCalledWith(1013, 'slow')
    time.pass(1999)
    expect(calls.terminate).not.toHaveBeenCalled()
    time.pass(1)
    expect(calls.terminate).toHaveBeenCalledOnce()
  })

  it('is not terminated when the close was answered', () => {
    const time = virtualTime()
    const { calls, socket, asSocket } = fakeSocket()
    webSocketTransport(asSocket, carrierOf(), time.timers).close(1000, 'bye')
    socket.emit('close')
    time.pass(5000)
    expect(calls.terminate).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  })
})
