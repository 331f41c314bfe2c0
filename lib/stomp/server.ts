import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../runtime/log.ts'
import type { Place } from '../runtime/places.ts'
import { type Arrival, STRANGER, type Strangers } from '../runtime/strangers.ts'
import type { Timers } from '../runtime/timers.ts'
import { keepPinging } from './pings.ts'
import { PATH } from './refusal.ts'
import type { StompSessions } from './sessions.ts'
import { FULL, type Obstacle, obstacleTo, plainObstacleTo, subProtocolOf, type UpgradeParts } from './upgrade.ts'
import { webSocketTransport } from './web-socket.ts'

export interface StompParts extends UpgradeParts {
  readonly sessions: StompSessions
  readonly strangers: Strangers
  /** The largest body of a frame. */
  readonly bodyBytes: number
  readonly timers: Timers
  readonly log: Log
}

export interface StompServer {
  /** @returns the port, also where 0 was asked for */
  listen(host: string, port: number): Promise<number>
  /** Refuses new clients, closes all sessions within the time, and ends. */
  drain(milliseconds: number): Promise<void>
}

/** What a WebSocket message may hold beside the largest body: the head of its frame, or further frames. */
const BESIDE_BODY_BYTES = 2 ** 16

/**
 * What a client may have under way before CONNECTED that `ws` has not handed over: the frames of messages of one byte
 * are large.
 */
const UNFINISHED_BYTES = 2 * STRANGER.messageBytes

/** For requests that take their time; Node looks at them once a second. */
const PATIENCE = {
  headersTimeout: STRANGER.patience,
  requestTimeout: STRANGER.patience,
  keepAliveTimeout: STRANGER.patience,
  connectionsCheckingInterval: 1000,
}

/**
 * HTTP with `/healthz`, and STOMP over WebSocket at `/ws`. A connection has a stranger's place until it is CONNECTED.
 */
export function createStompServer(parts: StompParts): StompServer {
  const { sessions, strangers, bodyBytes, log, timers } = parts
  const places = new WeakMap<Socket, Place>()
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bodyBytes + BESIDE_BODY_BYTES,
    handleProtocols: subProtocolOf,
  })
  const server = createServer(PATIENCE, (request, response) => {
    const obstacle = plainObstacleTo(request, parts)
    if (obstacle) strangers.turnedAway(arrivalOf(request), obstacle.reason, hostsOf(request))
    answer(request, response, obstacle?.status ?? statusOf(request, server.listening))
  })

  server.on('connection', (socket: Socket) => {
    const place = strangers.take({ peer: socket.remoteAddress }, () => socket.destroy())
    if (!place) {
      refuse(socket, FULL, () => socket.destroy())
      return
    }
    places.set(socket, place)
    socket.once('close', () => places.get(socket)?.leave())
  })

  server.on('upgrade', (request, duplex, head) => {
    const obstacle = obstacleTo(request, parts, sessions.isDraining)
    if (obstacle) strangers.turnedAway(arrivalOf(request), obstacle.reason, hostsOf(request))
    const place = obstacle ? undefined : placeOf(request)
    if (place) sockets.handleUpgrade(request, duplex, head, (socket) => serve(socket, request.socket, place))
    else refuse(duplex, obstacle ?? FULL)
  })

  /** Behind a proxy the client's address is only known now. */
  function placeOf(request: IncomingMessage): Place | undefined {
    const { socket } = request
    const held = places.get(socket)
    if (!held || !strangers.isProxy({ peer: socket.remoteAddress })) return held
    const place = strangers.take(arrivalOf(request), () => socket.destroy())
    if (place) {
      places.set(socket, place)
      held.leave()
    }
    return place
  }

  function serve(socket: WebSocket, raw: Socket, place: Place): void {
    let unfinished = 0
    keepPinging(socket, raw, timers)
    const session = sessions.open(webSocketTransport(socket, timers), () => {
      place.leave()
      raw.off('data', count)
    })
    function count({ length }: Uint8Array): void {
      unfinished += length
      if (unfinished <= UNFINISHED_BYTES) return
      session.overflow()
      socket.pause()
    }
    raw.prependListener('data', count)
    socket.on('message', (data) => {
      unfinished = 0
      session.receive(bytesOf(data))
    })
    socket.on('error', (cause) => logBroken(log, cause))
    socket.on('close', () => sessions.close(session))
  }

  return {
    async listen(host, port) {
      server.listen(port, host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    async drain(milliseconds) {
      const closed = once(server, 'close')
      server.close()
      const cancel = timers.after(milliseconds, () => server.closeAllConnections())
      await Promise.all([closed, sessions.drain(milliseconds)])
      cancel()
    },
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

const LOGGED_LENGTH = 200

/** What is no WebSocket: 426 at `/ws`, a sign of life at `/healthz`. */
function statusOf({ url = '' }: IncomingMessage, isListening: boolean): number {
  const statuses = new Map([
    [PATH, 426],
    ['/healthz', isListening ? 200 : 503],
  ])
  return statuses.get(url.split('?', 1)[0] ?? '') ?? 404
}

/** A request with a body closes the connection: the body is not read. */
function answer({ headers }: IncomingMessage, response: ServerResponse, status: number): void {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  const upgrade = status === 426 ? { upgrade: 'websocket' } : {}
  const connection = hasBody ? { connection: 'close' } : {}
  response.writeHead(status, { ...PLAIN, ...upgrade, ...connection }).end(STATUS_CODES[status])
}

function refuse(socket: Duplex, { status, reason }: Obstacle, done?: () => void): void {
  const body = `${STATUS_CODES[status]}: ${reason}\n`
  const headers = { ...PLAIN, connection: 'close', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, done)
}

function arrivalOf({ socket, headers }: IncomingMessage): Arrival {
  return { peer: socket.remoteAddress, forwarded: [headers['x-forwarded-for'] ?? []].flat().join(',') }
}

/** What a refused request says of where it comes from and goes to, as far as the log has room for it. */
function hostsOf({ headers: { origin, host } }: IncomingMessage) {
  return { origin: origin?.slice(0, LOGGED_LENGTH), host: host?.slice(0, LOGGED_LENGTH) }
}

/** A message in one piece, as `ws` hands it over. */
function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/** The client broke the WebSocket protocol, or the network broke; `ws` closes by itself. */
function logBroken(log: Log, cause: Error): void {
  log.info('web socket broken', { cause })
}
