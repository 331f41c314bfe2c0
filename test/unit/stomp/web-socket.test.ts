import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { webSocketTransport } from '../../../lib/stomp/web-sockets.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

function fakeSocket(readyState: number = WebSocket.OPEN) {
  const calls = { send: vi.fn(), close: vi.fn(), terminate: vi.fn() }
  const socket = Object.assign(new EventEmitter(), calls, { readyState, bufferedAmount: 7 })
  return { calls, socket, asSocket: socket as unknown as WebSocket }
}

describe('a session over WebSocket', () => {
  it.each([
    ['text', Buffer.from('MESSAGE ✓\0'), false],
    ['bytes that are not UTF-8', Buffer.from([0xc3, 0x28]), true],
  ])('sends %s in their own type', (_, bytes, binary) => {
    const { calls, asSocket } = fakeSocket()
    webSocketTransport(asSocket, virtualTime().timers).send(bytes)
    expect(calls.send).toHaveBeenCalledWith(bytes, { binary })
  })

  it('sends nothing after a close, and counts the bytes that the client has not read', () => {
    const { calls, asSocket } = fakeSocket(WebSocket.CLOSING)
    const transport = webSocketTransport(asSocket, virtualTime().timers)
    transport.send(Buffer.from('\n'))
    expect(calls.send).not.toHaveBeenCalled()
    expect(transport.buffered()).toBe(7)
  })

  it('is terminated 2 seconds after a close without an answer', () => {
    const time = virtualTime()
    const { calls, asSocket } = fakeSocket()
    webSocketTransport(asSocket, time.timers).close(1013, 'slow')
    expect(calls.close).toHaveBeenCalledWith(1013, 'slow')
    time.pass(1999)
    expect(calls.terminate).not.toHaveBeenCalled()
    time.pass(1)
    expect(calls.terminate).toHaveBeenCalledOnce()
  })

  it('is not terminated when the close was answered', () => {
    const time = virtualTime()
    const { calls, socket, asSocket } = fakeSocket()
    webSocketTransport(asSocket, time.timers).close(1000, 'bye')
    socket.emit('close')
    time.pass(5000)
    expect(calls.terminate).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  })
})
