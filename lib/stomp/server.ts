import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../platform/log.ts'
import { createAdmission } from './admission.ts'
import { createBroker } from './broker.ts'
import type { EventBus } from './bus.ts'
import { PATH } from './refusal.ts'
import { Session, type SessionParts } from './session.ts'
import { obstacleTo, subProtocolOf, type UpgradeParts } from './upgrade.ts'
import { webSocketTransport } from './web-socket.ts'

export interface StompParts extends UpgradeParts, Omit<SessionParts, 'transport' | 'broker' | 'admission'> {
  readonly bus: EventBus
  readonly connectionsPerUser: number
  /** From 0 up to, not including, 1: spreads the clients of a server that drains. */
  readonly random: () => number
}

export interface StompServer {
  /** @returns the port, also where 0 was asked for */
  listen(host: string, port: number): Promise<number>
  /** Takes no one new, sends every client elsewhere within the time, and ends. */
  drain(milliseconds: number): Promise<void>
}

const MAX_MESSAGE_BYTES = 2 ** 17

/** How much of a drain's time clients are sent away in; the rest is theirs to go. */
const SPREAD = 0.5

/** HTTP with `/healthz`, and STOMP over WebSocket at `/ws`. */
export function createStompServer(parts: StompParts): StompServer {
  const { bus, connectionsPerUser, log, random, timers } = parts
  const broker = createBroker(bus)
  const admission = createAdmission(connectionsPerUser)
  const sessions = new Set<Session>()
  let isDraining = false

  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: subProtocolOf,
  })
  const server = createServer((request, response) => answer(request, response, isDraining))

  server.on('upgrade', (request, socket, head) => {
    const obstacle = isDraining ? 503 : obstacleTo(request, parts, sockets.clients.size)
    if (obstacle === undefined) sockets.handleUpgrade(request, socket, head, serve)
    else refuse(socket, obstacle)
  })

  function serve(socket: WebSocket): void {
    const session = new Session({ ...parts, broker, admission, transport: webSocketTransport(socket, timers) })
    sessions.add(session)
    socket.on('message', (data) => session.receive(bytesOf(data)))
    socket.on('error', (cause) => logBroken(log, cause))
    socket.on('close', () => {
      sessions.delete(session)
      session.closed()
    })
  }

  return {
    async listen(host, port) {
      server.listen(port, host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    async drain(milliseconds) {
      isDraining = true
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) timers.after(random() * SPREAD * milliseconds, () => session.drain())
      const cancel = timers.after(milliseconds, () => {
        for (const socket of sockets.clients) socket.terminate()
        server.closeAllConnections()
      })
      await closed
      cancel()
      broker.close()
    },
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** What is no WebSocket: 426 at `/ws`, a sign of life at `/healthz`. */
function answer({ url = '' }: IncomingMessage, response: ServerResponse, isDraining: boolean): void {
  const statuses: Readonly<Record<string, number>> = { [PATH]: 426, '/healthz': isDraining ? 503 : 200 }
  const status = statuses[url.split('?', 1)[0] ?? ''] ?? 404
  const upgrade = status === 426 ? { upgrade: 'websocket' } : {}
  response.writeHead(status, { ...PLAIN, ...upgrade }).end(STATUS_CODES[status])
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** A message in one piece, as `ws` hands it over. */
function bytesOf(data: RawData): Uint8Array {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
}

/** The client broke the WebSocket protocol, or the network broke; `ws` closes by itself. */
function logBroken(log: Log, cause: Error): void {
  log.info('web socket broken', { cause })
}
