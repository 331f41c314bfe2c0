import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createWebSockets } from '../../../lib/stomp/web-sockets.ts'
import { createHttpServer } from '../../../lib/stream/server.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { fakeSessions } from '../../support/fakes/stomp-sessions.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

async function listening(isLocal = false) {
  const time = virtualTime()
  const log = recordingLog()
  const { sessions, allGone } = fakeSessions()
  const baseUrl = new URL('https://api.example.com')
  const timers = time.timers
  const server = createHttpServer({
    streams: { path: '/stream', open: 0, answer: (_, response) => void response.end('stream'), drain: () => {} },
    webSockets: createWebSockets({ sessions, bodyBytes: 1024, log, timers, baseUrl, trustedOrigins: [] }),
    anonymous: anonymousFor({ log }),
    baseUrl,
    listensOn: isLocal ? '127.0.0.1' : undefined,
    timers,
  })
  const port = await server.listen('127.0.0.1', 0)
  let drained: Promise<void> | undefined
  const drain = () => {
    drained ??= server.drain(1000)
    return drained
  }
  onTestFinished(async () => {
    const over = drain()
    allGone()
    time.pass(1000)
    await over
  })
  return { time, log, allGone, drain, port }
}

async function rawSocket(port: number, bytes: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  await once(socket, 'connect')
  return socket
}

describe('the HTTP port of the container', () => {
  it.each([
    ['/healthz', 200, 'OK', undefined],
    ['/healthz?now', 200, 'OK', undefined],
    ['/ws', 426, 'Upgrade Required', 'websocket'],
    ['/', 404, 'Not Found', undefined],
    ['/stream/', 404, 'Not Found', undefined],
  ])('answers %s with %i', async (path, status, body, upgrade) => {
    const { port } = await listening()
    const [answer]: IncomingMessage[] = await once(get({ port, path, agent: false }), 'response')
    expect([answer?.statusCode, answer && (await text(answer))]).toEqual([status, body])
    expect(answer?.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' })
    expect(answer?.headers.upgrade).toBe(upgrade)
  })
})

describe('T20 on a local run a page that rebinds its name to this machine', () => {
  const statusFor = async (port: number, host: string, path: string, headers: Record<string, string> = {}) => {
    const request = get({ port, path, agent: false, headers: { host, ...headers } })
    const [answer]: IncomingMessage[] = await once(request, 'response')
    answer?.resume()
    return answer?.statusCode
  }
  const UPGRADE = { upgrade: 'websocket', connection: 'Upgrade' }

  it('reaches nothing: 421 for every path', async () => {
    const { port, log } = await listening(true)
    const rebound = 'evil.example:3001'
    expect([
      await statusFor(port, rebound, '/healthz'),
      await statusFor(port, rebound, '/stream'),
      await statusFor(port, rebound, '/ws', { ...UPGRADE, origin: `http://${rebound}` }),
    ]).toEqual([421, 421, 421])
    expect(log.entries[0]).toMatchObject({ fields: { host: rebound } })
  })

  it('does not block other clients', async () => {
    const { port } = await listening(true)
    for (const host of ['127.0.0.1:3001', 'localhost:3001', 'api.example.com']) {
      expect(await statusFor(port, host, '/healthz')).toBe(200)
    }
    const deployed = await listening()
    expect(await statusFor(deployed.port, 'evil.example', '/healthz')).toBe(200)
  })
})

it('a client that breaks a refused connection does no harm', async () => {
  const { port, drain, allGone } = await listening()
  const uncaught = vi.fn()
  process.on('uncaughtException', uncaught)
  onTestFinished(() => void process.off('uncaughtException', uncaught))
  const socket = await rawSocket(
    port,
    'GET /nowhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  )
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  socket.resetAndDestroy()
  allGone()
  await drain()
  expect(uncaught).not.toHaveBeenCalled()
})

it('a broken WebSocket is logged with its error', async () => {
  const { port, log } = await listening()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  await once(socket, 'open')
  socket.send(Uint8Array.of(0xff), { binary: false })
  await once(socket, 'close')
  expect(log.entries).toMatchObject([
    { level: 'info', message: 'web socket broken', fields: { cause: { code: 'WS_ERR_INVALID_UTF8' } } },
  ])
})

describe('a drain', () => {
  it('waits for the sessions, and leaves no timer', async () => {
    const { time, drain, allGone } = await listening()
    const ended = vi.fn()
    const drained = drain().then(ended)
    await new Promise(setImmediate)
    expect(ended).not.toHaveBeenCalled()
    allGone()
    await drained
    expect(time.pending()).toBe(0)
  })

  it('closes every connection that is still open at its end', async () => {
    const { port, time, drain, allGone } = await listening()
    const socket = await rawSocket(port, 'GET /healthz HTTP/1.1\r\n')
    await once(get({ port, path: '/healthz', agent: false }), 'response')
    const drained = drain()
    allGone()
    time.pass(999)
    await new Promise(setImmediate)
    expect(socket.readableEnded).toBe(false)
    time.pass(1)
    await drained
  })
})
