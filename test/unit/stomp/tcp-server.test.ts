import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTcpServer } from '../../../lib/stomp/tcp-server.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { fakeSessions } from '../../support/fakes/stomp-sessions.ts'
import { strangersFor } from '../../support/fakes/strangers.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

async function listening(isDraining = false) {
  const time = virtualTime()
  const log = recordingLog()
  const { sessions, transports, close, allGone } = fakeSessions(isDraining)
  const server = createTcpServer({ sessions, strangers: strangersFor(), log, clock: time.clock, timers: time.timers })
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(async () => {
    allGone()
    await server.drain(0)
  })
  const opened = () => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return once(socket, 'connect').then(() => socket)
  }
  return { time, log, server, opened, transports, close, allGone }
}

describe('STOMP over TCP', () => {
  it('logs the error that broke a connection', async () => {
    const { opened, close, log } = await listening()
    const socket = await opened()
    socket.resetAndDestroy()
    await expect.poll(() => close.mock.calls.length).toBe(1)
    expect(log.entries).toMatchObject([
      { level: 'info', message: 'socket broken', fields: { cause: { code: 'ECONNRESET' } } },
    ])
  })

  it('gives a client that has sent everything, and does not read, 2 seconds', async () => {
    const { opened, close, transports, time } = await listening()
    const socket = await opened()
    socket.pause()
    await expect.poll(() => transports.length).toBe(1)
    for (let count = 0; count < 64; count++) transports[0]?.send(new Uint8Array(2 ** 20))
    socket.end()
    await expect.poll(() => time.pending()).toBe(1)
    time.pass(1999)
    await new Promise(setImmediate)
    expect(close).not.toHaveBeenCalled()
    time.pass(1)
    await expect.poll(() => close.mock.calls.length).toBe(1)
  })

  it('refuses a client during a drain with an error, and does not wait for it', async () => {
    const { opened, time } = await listening(true)
    const socket = await opened()
    socket.write('CONNECT\n\n\0')
    expect(await text(socket)).toMatch(/^ERROR\nmessage:Service temporarily unavailable\n/)
    await expect.poll(() => time.pending()).toBe(0)
  })

  it('drains only after its sessions have ended', async () => {
    const { server, allGone } = await listening()
    const ended = vi.fn()
    const drained = server.drain(1000).then(ended)
    await new Promise(setImmediate)
    expect(ended).not.toHaveBeenCalled()
    allGone()
    await drained
  })
})
