import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { tcpTransport } from '../../../lib/stomp/tcp.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

function fakeSocket(writable = true) {
  const calls = { write: vi.fn(), end: vi.fn(), destroy: vi.fn() }
  const socket = Object.assign(new EventEmitter(), calls, { writable, writableLength: 7 })
  return { calls, socket, asSocket: socket as unknown as Socket }
}

describe('a session over TCP', () => {
  it('sends bytes unchanged', () => {
    const { calls, asSocket } = fakeSocket()
    const bytes = Buffer.from([0xc3, 0x28, 0])
    tcpTransport(asSocket, virtualTime().timers).send(bytes)
    expect(calls.write).toHaveBeenCalledWith(bytes)
  })

  it('sends nothing after a close, and counts the bytes that the client has not read', () => {
    const { calls, asSocket } = fakeSocket(false)
    const transport = tcpTransport(asSocket, virtualTime().timers)
    transport.send(Buffer.from('\n'))
    expect(calls.write).not.toHaveBeenCalled()
    expect(transport.buffered()).toBe(7)
  })

  it('ends after everything is sent, and is destroyed 2 seconds later if the client does not end', () => {
    const time = virtualTime()
    const { calls, asSocket } = fakeSocket()
    tcpTransport(asSocket, time.timers).close(1013, 'slow')
    expect(calls.end).toHaveBeenCalledOnce()
    time.pass(1999)
    expect(calls.destroy).not.toHaveBeenCalled()
    time.pass(1)
    expect(calls.destroy).toHaveBeenCalledOnce()
  })

  it('is closed at once without any time left', () => {
    const { calls, asSocket } = fakeSocket()
    tcpTransport(asSocket, virtualTime().timers).terminate()
    expect(calls.destroy).toHaveBeenCalledOnce()
  })

  it('is not destroyed when the client ended', () => {
    const time = virtualTime()
    const { calls, socket, asSocket } = fakeSocket()
    tcpTransport(asSocket, time.timers).close(1000, 'bye')
    socket.emit('close')
    time.pass(5000)
    expect(calls.destroy).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  })
})
