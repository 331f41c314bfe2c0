import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../platform/log.ts'
import type { Timers } from '../platform/timers.ts'
import { PATH } from './refusal.ts'
import type { Sessions } from './sessions.ts'
import { obstacleTo, subProtocolOf, type UpgradeParts } from './upgrade.ts'
import { webSocketTransport } from './web-socket.ts'

export interface StompParts extends UpgradeParts {
  readonly sessions: Sessions
  readonly timers: Timers
  readonly log: Log
}

export interface StompServer {
  /** @returns the port, also where 0 was asked for */
  listen(host: string, port: number): Promise<number>
  /** Takes no one new, sends every client elsewhere within the time, and ends. */
  drain(milliseconds: number): Promise<void>
}

const MAX_MESSAGE_BYTES = 2 ** 17

/** HTTP with `/healthz`, and STOMP over WebSocket at `/ws`. */
export function createStompServer(parts: StompParts): StompServer {
  const { sessions, log, timers } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: subProtocolOf,
  })
  const server = createServer((request, response) => answer(request, response, server.listening))

  server.on('upgrade', (request, socket, head) => {
    const obstacle = obstacleTo(request, parts, sessions.isFull)
    if (obstacle === undefined) sockets.handleUpgrade(request, socket, head, serve)
    else refuse(socket, obstacle)
  })

  function serve(socket: WebSocket): void {
    const session = sessions.open(webSocketTransport(socket, timers))
    socket.on('message', (data) => session.receive(bytesOf(data)))
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

/** What is no WebSocket: 426 at `/ws`, a sign of life at `/healthz`. */
function answer({ url = '' }: IncomingMessage, response: ServerResponse, isListening: boolean): void {
  const statuses = new Map([
    [PATH, 426],
    ['/healthz', isListening ? 200 : 503],
  ])
  const status = statuses.get(url.split('?', 1)[0] ?? '') ?? 404
  const upgrade = status === 426 ? { upgrade: 'websocket' } : {}
  response.writeHead(status, { ...PLAIN, ...upgrade }).end(STATUS_CODES[status])
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
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
