import { Buffer, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Cancel, Timers } from '../runtime/async.ts'
import { STRANGER } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import { PATH } from './refusal.ts'
import type { StompSessions } from './sessions.ts'
import { CLOSE_TIMEOUT, type Transport } from './transport.ts'
import { type Obstacle, obstacleTo, subProtocolOf, type UpgradeParts } from './upgrade.ts'

interface WebSocketParts extends UpgradeParts {
  readonly sessions: StompSessions
  /** The largest body of a frame. */
  readonly bodyBytes: number
  readonly timers: Timers
  readonly log: Log
}

/** STOMP for HTTP requests that ask for a WebSocket. */
export interface WebSockets {
  /** Where they are opened. */
  readonly path: string
  /** What keeps one from being opened; undefined if nothing does. */
  obstacleTo(request: IncomingMessage): Obstacle | undefined
  /**
   * @param head what has come behind the request
   * @param known called when the client has said who it is
   */
  open(request: IncomingMessage, duplex: Duplex, head: Buffer, known: () => void): void
  /** Closes all within the time. */
  drain(milliseconds: number): Promise<void>
}

/** What a WebSocket message may hold beside the largest body: the head of its frame, or further frames. */
const BESIDE_BODY_BYTES = 2 ** 16

/**
 * The limit of bytes before CONNECTED that `ws` has not passed on yet: with messages of one byte, the frames are most
 * of it.
 */
const UNFINISHED_BYTES = 2 * STRANGER.messageBytes

export function createWebSockets(parts: WebSocketParts): WebSockets {
  const { sessions, bodyBytes, log, timers } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bodyBytes + BESIDE_BODY_BYTES,
    handleProtocols: subProtocolOf,
  })

  function serve(socket: WebSocket, raw: Socket, known: () => void): void {
    let unfinished = 0
    keepPinging(socket, raw, timers)
    const session = sessions.open(webSocketTransport(socket, timers), () => {
      known()
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
    path: PATH,
    obstacleTo: (request) => obstacleTo(request, parts, sessions.isDraining),
    open: (request, duplex, head, known) =>
      sockets.handleUpgrade(request, duplex, head, (socket) => serve(socket, request.socket, known)),
    drain: sessions.drain,
  }
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

/** Sends what is UTF-8 as text, for the clients that want it so, and the rest as binary. */
export function webSocketTransport(socket: WebSocket, timers: Timers): Transport {
  return {
    send(bytes) {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: !isUtf8(bytes) })
    },
    close(code, reason) {
      socket.close(code, reason)
      const cancel = timers.after(CLOSE_TIMEOUT, () => socket.terminate())
      socket.once('close', cancel)
    },
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    buffered: () => socket.bufferedAmount,
  }
}

/** From one ping to the next, in milliseconds. */
const PING_EVERY_MS = 20_000

/**
 * Pings a WebSocket until it closes, and cuts it off when nothing came between two pings: neither an answer, which clients
 * give by themselves, nor anything else.
 * @param carrier the socket below it
 */
function keepPinging(socket: WebSocket, carrier: Pick<Socket, 'bytesRead'>, timers: Timers): void {
  let heard: number | undefined
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(PING_EVERY_MS, look)
  }

  function look(): void {
    if (carrier.bytesRead === heard) {
      socket.terminate()
    } else {
      heard = carrier.bytesRead
      socket.ping()
      cancel = wait()
    }
  }

  socket.once('close', () => cancel())
}
