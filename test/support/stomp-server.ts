import { once } from 'node:events'
import { Client, type IFrame, type StompConfig } from '@stomp/stompjs'
import { onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import type { AccountGate } from '../../lib/auth/account-gate.ts'
import type { KeyReader } from '../../lib/auth/keys/api-key.ts'
import { createKeyGate } from '../../lib/auth/keys/gate.ts'
import { createLiveGate } from '../../lib/auth/live/gate.ts'
import type { TicketGate } from '../../lib/auth/live/ticket.ts'
import { createTokens } from '../../lib/auth/token.ts'
import { systemTimers } from '../../lib/runtime/async.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { createAdmission, type PlaceLimits } from '../../lib/runtime/limits.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import type { SessionLimits } from '../../lib/stomp/limits.ts'
import { createStompSessions } from '../../lib/stomp/sessions.ts'
import { createWebSockets } from '../../lib/stomp/web-sockets.ts'
import { createEventStreams } from '../../lib/stream/event-streams.ts'
import { createHttpServer } from '../../lib/stream/server.ts'
import { createLiveFeed } from '../../lib/webhooks/live/feed.ts'
import { createWatch } from '../../lib/webhooks/live/watch.ts'
import { anonymousFor } from './fakes/anonymous.ts'
import { inProcessBus } from './fakes/bus.ts'
import { MemoryChangeReader } from './fakes/change-reader.ts'
import { FIRST_KEY, signToken } from './fakes/jwt.ts'
import { ADMINS, MemoryKeys, noTickets } from './fakes/keys.ts'
import { recordingLog } from './fakes/log.ts'
import { recordingMetrics } from './fakes/metrics.ts'
import { everyAccount } from './fakes/principals.ts'
import { SESSION_LIMITS } from './fakes/session-limits.ts'
import type { VirtualTime } from './fakes/timers.ts'

export const OWN_ORIGIN = 'http://gatehouse.test'
export const TRUSTED_ORIGIN = 'https://console.test'

/** The four claims that are sufficient (auth-23), good for an hour. */
export function claimsOf(changes: Readonly<Record<string, unknown>> = {}) {
  const now = Math.floor(Date.now() / 1000)
  return { sub: 'alice', role: 'ROLE_USER', iat: now - 1, exp: now + 3600, ...changes }
}

export const userToken = (sub = 'alice') => signToken(claimsOf({ sub }))
export const adminToken = () => signToken(claimsOf({ sub: 'root', role: 'ROLE_ADMIN' }))

interface Options {
  readonly connections?: number
  readonly connectionsPerUser?: number
  readonly limits?: Partial<SessionLimits>
  readonly accounts?: AccountGate
  readonly keys?: KeyReader
  readonly tickets?: TicketGate
  /** Of those that are not CONNECTED. */
  readonly anonymous?: Partial<PlaceLimits>
  readonly proxies?: readonly string[]
  /** Time that the test lets pass: all waiting, but no clock, follows it. */
  readonly time?: VirtualTime
}

/** A server in this process, gone when the test ends. */
export async function stompServer(options: Options = {}) {
  const { limits = {}, connections = 100, connectionsPerUser = 50 } = options
  const log = recordingLog()
  const bus = inProcessBus()
  const reader = new MemoryChangeReader()
  const time = { clock: systemClock, timers: options.time?.timers ?? systemTimers }
  const feed = createLiveFeed({ reader, log, memory: 0, ...time })
  const parts = {
    bus,
    log,
    metrics: recordingMetrics(),
    ...time,
    steady: time.clock,
    watch: createWatch({ feed, reader, timers: time.timers }),
    position: feed.cursor,
    ids: clockIds(systemClock),
    random: Math.random,
    gate: createLiveGate({
      tokens: createTokens({ keys: { current: [FIRST_KEY] }, lifetimeSeconds: 60, clock: systemClock }),
      accounts: options.accounts ?? everyAccount,
      keys: createKeyGate({ keys: options.keys ?? new MemoryKeys(), accounts: ADMINS, clock: systemClock, log }),
      tickets: options.tickets ?? noTickets,
    }),
    admission: createAdmission(connections, connectionsPerUser),
    limits: { ...SESSION_LIMITS, ...limits },
  }
  const { proxies = [], anonymous } = options
  const places = () => anonymousFor({ ...anonymous, proxies, timers: time.timers, log })
  const shared = { ...parts, sessions: createStompSessions(parts) }
  const origins = { baseUrl: new URL(OWN_ORIGIN), trustedOrigins: [TRUSTED_ORIGIN] }
  const streams = createEventStreams({ ...shared, ...origins })
  const server = createHttpServer({
    ...shared,
    ...origins,
    streams,
    webSockets: createWebSockets({ ...shared, ...origins, bodyBytes: parts.limits.bodyBytes }),
    listensOn: undefined,
    anonymous: places(),
  })
  const port = await server.listen('127.0.0.1', 0)
  let drained: Promise<void> | undefined
  const drain = (milliseconds: number) => {
    drained ??= server.drain(milliseconds)
    return drained
  }
  onTestFinished(async () => {
    const gone = drain(0)
    options.time?.pass(0)
    await gone
  })
  const url = `ws://127.0.0.1:${port}/ws`
  return {
    bus,
    feed,
    reader,
    log,
    metrics: parts.metrics,
    admission: parts.admission,
    streams,
    url,
    stream: `http://127.0.0.1:${port}${streams.path}`,
    http: `http://127.0.0.1:${port}`,
    drain,
    /** The bare WebSocket, with what comes over it. */
    wire: (options: ClientOptions = {}, address = url, protocols: string[] = ['v12.stomp']) =>
      openWire(new WebSocket(address, protocols, options)),
    client: (config: StompConfig = {}) => openClient(url, config),
  }
}

function openWire(socket: WebSocket) {
  const messages: Buffer[] = []
  socket.on('message', (data: Buffer) => messages.push(data))
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }))
  return {
    socket,
    messages,
    closed,
    opened: once(socket, 'open'),
    /** Resolves with all that came once it holds a text. */
    async heard(text: string): Promise<string> {
      while (!Buffer.concat(messages).includes(text)) await once(socket, 'message')
      return Buffer.concat(messages).toString()
    },
  }
}

interface Refused {
  readonly frame: IFrame
  readonly code: number
  readonly reason: string
}

/** @returns the client once it is connected, or the refusal */
async function openClient(url: string, config: StompConfig) {
  const connected = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<Refused>()
  let error: IFrame | undefined
  const client = new Client({
    webSocketFactory: () => new WebSocket(url, ['v12.stomp', 'v11.stomp', 'v10.stomp']),
    connectHeaders: { Authorization: `Bearer ${userToken()}` },
    reconnectDelay: 0,
    heartbeatIncoming: 0,
    heartbeatOutgoing: 0,
    ...config,
    onConnect: () => connected.resolve(),
    onStompError: (frame) => {
      error = frame
    },
    onWebSocketClose: ({ code, reason }: { code: number; reason: string }) => {
      if (error) refused.resolve({ frame: error, code, reason })
      connected.resolve()
    },
  })
  client.activate()
  onTestFinished(() => client.deactivate({ force: true }))
  await connected.promise
  return { client, refused: refused.promise }
}
