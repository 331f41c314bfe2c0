import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLocalHost } from '../runtime/address.ts'
import type { Timers } from '../runtime/async.ts'
import { ANONYMOUS, type AnonymousClients, type Caller, type Place } from '../runtime/limits.ts'
import type { Obstacle, WebSockets } from '../stomp/web-sockets.ts'
import type { EventStreams } from './event-streams.ts'

/** What serves one port of the container. */
interface ChannelServer {
  /** @returns the port, also where 0 was asked for */
  listen(host: string, port: number): Promise<number>
  /** Refuses new clients, sends all others away within the time, and ends. */
  drain(milliseconds: number): Promise<void>
}

export interface HttpParts {
  readonly webSockets: WebSockets
  readonly streams: EventStreams
  readonly anonymous: AnonymousClients
  readonly baseUrl: URL
  /** The address on which a run on a developer's machine listens; undefined where it is deployed. */
  readonly listensOn: string | undefined
  readonly timers: Timers
}

const FULL: Obstacle = { status: 503, reason: 'too many clients have not said who they are' }

const MISDIRECTED: Obstacle = {
  status: 421,
  reason: 'a local run answers only to loopback names and to the host of BASE_URL',
}

/** Limits on slow requests; Node checks them once a second. */
const PATIENCE = {
  headersTimeout: ANONYMOUS.patience,
  requestTimeout: ANONYMOUS.patience,
  keepAliveTimeout: ANONYMOUS.patience,
  connectionsCheckingInterval: 1000,
}

/**
 * HTTP: `/healthz`, event streams, and WebSockets. A connection has an anonymous place until its client has said who it
 * is; one that carries a stream takes no further request.
 */
export function createHttpServer(parts: HttpParts): ChannelServer {
  const { webSockets, streams, anonymous, timers } = parts
  const places = new WeakMap<Socket, Place>()
  const carrying = new WeakSet<Socket>()
  const server = createServer(PATIENCE, (request, response) => {
    const { socket } = request
    const obstacle = misdirection(request, parts)
    if (obstacle) turnedAway(request, obstacle)
    if (carrying.has(socket)) socket.destroy()
    else if (!obstacle && pathOf(request) === streams.path) streams.answer(request, response, () => takenFor(request))
    else answer(request, response, obstacle?.status ?? statusOf(request))
  })

  server.on('connection', (socket: Socket) => {
    const place = anonymous.take({ peer: socket.remoteAddress }, () => socket.destroy())
    if (!place) {
      refuse(socket, FULL, () => socket.destroy())
      return
    }
    places.set(socket, place)
    socket.once('close', () => places.get(socket)?.leave())
  })

  server.on('upgrade', (request, duplex, head) => {
    const obstacle = misdirection(request, parts) ?? webSockets.obstacleTo(request)
    if (obstacle) turnedAway(request, obstacle)
    const place = obstacle || carrying.has(request.socket) ? undefined : placeOf(request)
    if (place) webSockets.open(request, duplex, head, place.leave)
    else refuse(duplex, obstacle ?? FULL)
  })

  /** Behind a proxy the client's address is only known now. */
  function placeOf(request: IncomingMessage): Place | undefined {
    const { socket } = request
    const held = places.get(socket)
    if (!held || !anonymous.isProxy({ peer: socket.remoteAddress })) return held
    const place = anonymous.take(callerOf(request), () => socket.destroy())
    if (place) {
      places.set(socket, place)
      held.leave()
    }
    return place
  }

  function takenFor(request: IncomingMessage): Place | undefined {
    carrying.add(request.socket)
    return placeOf(request)
  }

  function turnedAway(request: IncomingMessage, { reason }: Obstacle): void {
    anonymous.refused(callerOf(request), reason, hostsOf(request))
  }

  /** What is no WebSocket: 426 where they are, a sign of life at `/healthz`. */
  function statusOf(request: IncomingMessage): number {
    const statuses = new Map([
      [webSockets.path, 426],
      ['/healthz', server.listening ? 200 : 503],
    ])
    return statuses.get(pathOf(request)) ?? 404
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
      streams.drain(milliseconds)
      const cancel = timers.after(milliseconds, () => server.closeAllConnections())
      await Promise.all([closed, webSockets.drain(milliseconds)])
      cancel()
    },
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

const LOGGED_LENGTH = 200

/** What keeps a request from being answered; undefined if nothing does. */
function misdirection({ headers }: IncomingMessage, { baseUrl, listensOn }: HttpParts): Obstacle | undefined {
  return listensOn === undefined || isLocalHost(headers.host, baseUrl, listensOn) ? undefined : MISDIRECTED
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
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

function callerOf({ socket, headers }: IncomingMessage): Caller {
  return { peer: socket.remoteAddress, forwarded: [headers['x-forwarded-for'] ?? []].flat().join(',') }
}

/** The origin and the target of a refused request, as far as the log has room for them. */
function hostsOf({ headers: { origin, host } }: IncomingMessage) {
  return { origin: origin?.slice(0, LOGGED_LENGTH), host: host?.slice(0, LOGGED_LENGTH) }
}
