import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { refusal } from '../../../lib/auth/claims.ts'
import { authService, secureService } from '../../../lib/grpc/services/auth.ts'
import type { PlaceLimits } from '../../../lib/runtime/limits.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { gone } from '../../support/raw-http2.ts'
import { openSocket } from '../../support/raw-socket.ts'
import { grpcServer } from './grpc-server.ts'

const HELLO = '/gatehouse.v1.SecureService/PublicHello'
const WHO_AM_I = '/gatehouse.v1.AuthService/WhoAmI'
const WATCH = '/grpc.health.v1.Health/Watch'
const CHECK = '/grpc.health.v1.Health/Check'

const [OK, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAUTHENTICATED] = ['0', '4', '8', '16']

const TOKEN = { authorization: 'Bearer good' }
const EMPTY = Buffer.alloc(5)

/** A message of gRPC, of that many bytes. */
function messageOf(bytes: number): Buffer {
  const message = Buffer.alloc(5 + bytes)
  message.writeUInt32BE(bytes, 1)
  return message
}

interface Options {
  readonly connections?: Partial<PlaceLimits>
  readonly streams?: Partial<PlaceLimits>
  readonly calls?: Partial<PlaceLimits>
  readonly proxies?: readonly string[]
}

async function listening({ connections, streams, calls, proxies = [] }: Options = {}) {
  const time = virtualTime()
  const log = recordingLog()
  const anonymous = (limits?: Partial<PlaceLimits>) => anonymousFor({ ...limits, proxies, log, timers: time.timers })
  const server = grpcServer({
    services: [authService, secureService],
    check: (token) => {
      if (token === 'good') return tokenHolder('ROLE_USER', new Date(time.clock.now().getTime() + 3_600_000))
      throw refusal('MALFORMED', 'no token')
    },
    anonymous: { connections: anonymous(connections), streams: anonymous(streams), calls: anonymous(calls) },
    clock: time.clock,
    timers: time.timers,
    log,
  })
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(async () => {
    const drained = server.drain(1000)
    time.pass(1000)
    await drained
  })
  return {
    log,
    time,
    /** A connection on which nothing is said. */
    async silent(): Promise<Socket> {
      const socket = await openSocket(`http://127.0.0.1:${port}`)
      onTestFinished(() => void socket.destroy())
      return socket
    },
    /** A connection from an address of this machine. */
    session(localAddress = '127.0.0.1'): ClientHttp2Session {
      const session = connectHttp2('http://127.0.0.1', {
        createConnection: () => connect({ host: '127.0.0.1', port, localAddress }),
      }).on('error', () => {})
      onTestFinished(() => session.destroy())
      return session
    },
  }
}

/** A call that is open; its end is the status of gRPC, or that of HTTP/2 that its stream was reset with. */
function open(session: ClientHttp2Session, path: string, fields = {}) {
  const common = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' }
  const stream = session.request({ ...common, ':path': path, ...fields })
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  const note = (told: Readonly<Record<string, unknown>>) => {
    if (told['grpc-status'] !== undefined) resolve(String(told['grpc-status']))
  }
  stream
    .on('response', note)
    .on('trailers', note)
    .on('error', () => {})
  stream.on('close', () => resolve(`reset ${stream.rstCode}`)).resume()
  return { stream, ended }
}

/** A call with its whole message. */
function call(session: ClientHttp2Session, path: string, fields = {}): Promise<string> {
  const { stream, ended } = open(session, path, fields)
  stream.end(EMPTY)
  return ended
}

/** A stream of the health that has told it once. */
async function watching(session: ClientHttp2Session, fields = {}) {
  const watch = open(session, WATCH, fields)
  watch.stream.end(EMPTY)
  await Promise.race([once(watch.stream, 'data'), watch.ended])
  return watch
}

async function isOpen({ stream }: { readonly stream: ClientHttp2Stream }): Promise<boolean> {
  await new Promise(setImmediate)
  return !stream.closed
}

describe('G14 a call without a token', () => {
  it('that does not send its message ends after five seconds', async () => {
    const { session, time } = await listening()
    const connection = session()
    const late = open(connection, HELLO)
    // What comes behind it on the connection is answered after it was let in.
    await call(connection, HELLO)
    time.pass(4999)
    expect(await isOpen(late)).toBe(true)
    time.pass(1)
    expect(await late.ended).toBe(DEADLINE_EXCEEDED)
  })

  it('occupies a place until its stream ends, which the server enforces', async () => {
    const { session, time } = await listening({ calls: { perAddress: 1 } })
    const connection = session()
    const late = open(connection, HELLO)
    await call(connection, HELLO)
    time.pass(5000)
    await late.ended
    expect(await call(connection, HELLO)).toBe(RESOURCE_EXHAUSTED)
    time.pass(1000)
    await once(late.stream, 'close')
    expect(await call(connection, HELLO)).toBe(OK)
  })

  it('sends 8 KiB at most; one with a token may send more', async () => {
    const { session } = await listening()
    const [hello, whoAmI] = [open(session(), HELLO), open(session(), WHO_AM_I, TOKEN)]
    for (const { stream } of [hello, whoAmI]) stream.write(messageOf(20_000).subarray(0, 10_000))
    expect(await hello.ended).toBe(RESOURCE_EXHAUSTED)
    expect(await isOpen(whoAmI)).toBe(true)
  })

  it('counts in a limit per address; other addresses and calls with a token do not count', async () => {
    const { log, session } = await listening({ calls: { perAddress: 2 } })
    const [one, other] = [session(), session('127.0.0.2')]
    await Promise.all([watching(one), watching(one)])
    expect(await call(one, HELLO)).toBe(RESOURCE_EXHAUSTED)
    expect(await call(session(), CHECK)).toBe(RESOURCE_EXHAUSTED)
    expect(await call(other, CHECK)).toBe(OK)
    expect(await call(one, WHO_AM_I, TOKEN)).toBe(OK)
    expect(await isOpen(await watching(one, TOKEN))).toBe(true)
    expect(log.of('port: rejected, no place without a token, per address')).toEqual([
      { address: '127.0.0.1' },
      { address: '127.0.0.1' },
    ])
  })

  it('counts in a total limit, and a new one replaces the oldest of the address with the most', async () => {
    const { session } = await listening({ calls: { inAll: 2 } })
    const [oldest, second] = [await watching(session()), await watching(session())]
    expect(await isOpen(await watching(session('127.0.0.2')))).toBe(true)
    expect(await oldest.ended).toBe(RESOURCE_EXHAUSTED)
    expect(await isOpen(second)).toBe(true)
  })

  it('behind a trusted proxy counts for the address that the proxy names', async () => {
    const { session } = await listening({ calls: { perAddress: 1 }, proxies: ['127.0.0.1'] })
    const connection = session()
    const from = (address: string) => ({ 'x-forwarded-for': address })
    await watching(connection, from('192.0.2.1'))
    expect(await call(connection, HELLO, from('198.51.100.9, 192.0.2.1'))).toBe(RESOURCE_EXHAUSTED)
    expect(await call(connection, HELLO, from('192.0.2.2'))).toBe(OK)
    expect(await call(session('127.0.0.2'), HELLO, from('192.0.2.1'))).toBe(OK)
  })
})

describe('G14 Health/Watch', () => {
  it.each([
    ['without a token', {}],
    ['with a bad one', { authorization: 'Bearer bad' }],
  ])('%s ends within a minute', async (_, fields) => {
    const { session, time } = await listening()
    const watch = await watching(session(), fields)
    time.pass(59_999)
    expect(await isOpen(watch)).toBe(true)
    time.pass(1)
    expect(await watch.ended).toBe(UNAUTHENTICATED)
  })

  it('with a token continues', async () => {
    const { session, time } = await listening()
    const watch = await watching(session(), TOKEN)
    time.pass(120_000)
    expect(await isOpen(watch)).toBe(true)
  })
})

describe('G15 a connection without a token so far', () => {
  it('ends when it is silent for five seconds', async () => {
    const { silent, log, time } = await listening()
    const socket = await silent()
    const closed = gone(socket)
    await expect.poll(() => time.pending()).toBe(1)
    time.pass(5000)
    await closed
    expect(log.of('port: rejected, no call in time')).toEqual([{ address: '127.0.0.1' }])
  })

  it('ends five seconds after its last call', async () => {
    const { session, time } = await listening()
    const connection = session()
    const watch = await watching(connection)
    time.pass(10_000)
    expect(connection.closed).toBe(false)
    watch.stream.close()
    expect(await call(connection, HELLO)).toBe(OK)
    await expect
      .poll(() => {
        time.pass(1000)
        return connection.closed
      })
      .toBe(true)
  })

  it('stays open after a token', async () => {
    const { session, time } = await listening({ connections: { perAddress: 1 } })
    const connection = session()
    expect(await call(connection, WHO_AM_I, TOKEN)).toBe(OK)
    time.pass(600_000)
    expect(await call(connection, WHO_AM_I, TOKEN)).toBe(OK)
    expect(await call(session(), HELLO)).toBe(OK)
  })

  it('counts in a limit per address', async () => {
    const { silent, session } = await listening({ connections: { perAddress: 1 } })
    await silent()
    const refused = await silent()
    await gone(refused)
    expect(await call(session('127.0.0.2'), WHO_AM_I, TOKEN)).toBe(OK)
  })

  it('does not block a new one from another address, with or without a token', async () => {
    const { silent, session } = await listening({ connections: { inAll: 2 } })
    const oldest = await silent()
    const closed = gone(oldest)
    await silent()
    expect(await call(session('127.0.0.2'), WHO_AM_I, TOKEN)).toBe(OK)
    await closed
  })

  it('has a limit of streams for refused and pending calls; those of a connection with a token do not count', async () => {
    const { session } = await listening({ streams: { perAddress: 2 } })
    const [unknown, known] = [session(), session('127.0.0.2')]
    const refused = [open(unknown, WHO_AM_I), open(unknown, WHO_AM_I)]
    for (const { ended } of refused) expect(await ended).toBe(UNAUTHENTICATED)
    expect(await call(unknown, WHO_AM_I)).toBe('reset 7')
    const calls = [open(known, WHO_AM_I, TOKEN), open(known, WHO_AM_I, TOKEN), open(known, WHO_AM_I, TOKEN)]
    await call(known, WHO_AM_I, TOKEN)
    for (const each of calls) expect(await isOpen(each)).toBe(true)
  })
})

it('G16 a load balancer’s health check finds a place when connections without a token have taken all', async () => {
  const { session } = await listening({
    connections: { inAll: 2 },
    streams: { inAll: 2 },
    calls: { inAll: 1 },
    proxies: ['127.0.0.9'],
  })
  const anonymous = [session('127.0.0.2'), session('127.0.0.3')]
  await Promise.all(anonymous.map((each) => watching(each)))
  const behind = session('127.0.0.9')
  await watching(behind, { 'x-forwarded-for': '192.0.2.1' })
  expect(await call(session('127.0.0.9'), CHECK)).toBe(OK)
})
