import { Buffer, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { nextTick } from 'node:process'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { isOriginAllowed } from '../auth/csrf.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import { ANONYMOUS } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import { CLOSE_TIMEOUT, type Transport } from './broker.ts'
import { PATH } from './refusal.ts'
import type { StompSessions } from './sessions.ts'

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
   * @param authenticated called when the client has said who it is
   */
  open(request: IncomingMessage, duplex: Duplex, head: Buffer, authenticated: () => void): void
  /** Closes all within the time. */
  drain(milliseconds: number): Promise<void>
}

/** What a WebSocket message may hold beside the largest body: the head of its frame, or further frames. */
const BESIDE_BODY_BYTES = 2 ** 16

/** The longest head of a frame from a client (RFC 6455 section 5.2): two bytes, the length in eight, the mask in four. */
const FRAME_HEAD_BYTES = 14

export function createWebSockets(parts: WebSocketParts): WebSockets {
  const { sessions, bodyBytes, log, timers } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bodyBytes + BESIDE_BODY_BYTES,
    handleProtocols: subProtocolOf,
  })

  function serve(socket: WebSocket, raw: Socket, authenticated: () => void): void {
    /** What came and is in no finished message: the heads of its frames take memory, too. */
    let unfinished = 0
    keepPinging(socket, raw, timers)
    const session = sessions.open(webSocketTransport(socket, raw, timers), () => {
      authenticated()
      raw.off('data', count)
    })
    function count({ length }: Uint8Array): void {
      unfinished += length
      if (unfinished <= ANONYMOUS.messageBytes + FRAME_HEAD_BYTES) return
      session.overflow()
      socket.pause()
    }
    socket.on('message', (data) => {
      const bytes = bytesOf(data)
      unfinished -= frameBytes(bytes.length)
      session.receive(bytes)
    })
    // Behind the listener of `ws`, which has passed on by then whatever is finished.
    raw.on('data', count)
    socket.on('error', (cause) => logBroken(log, cause))
    socket.on('close', () => sessions.close(session))
  }

  return {
    path: PATH,
    obstacleTo: (request) => obstacleTo(request, parts, sessions.isDraining),
    open: (request, duplex, head, authenticated) =>
      sockets.handleUpgrade(request, duplex, head, (socket) => serve(socket, request.socket, authenticated)),
    drain: sessions.drain,
  }
}

/** A message in one piece, as `ws` hands it over. */
function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/** The bytes of a message that came as one frame. */
function frameBytes(length: number): number {
  const lengthBytes = length < 126 ? 0 : length < 2 ** 16 ? 2 : 8
  return 6 + lengthBytes + length
}

/** The client broke the WebSocket protocol, or the network broke; `ws` closes by itself. */
function logBroken(log: Log, cause: Error): void {
  log.info('web socket broken', { cause })
}

/**
 * Sends what is UTF-8 as text, for the clients that want it so, and the rest as binary. What is sent at once goes to the
 * system in one call.
 * @param carrier the socket below it
 */
export function webSocketTransport(socket: WebSocket, carrier: Carrier, timers: Timers): Transport {
  return {
    send(bytes) {
      if (socket.readyState !== WebSocket.OPEN) return
      if (carrier.writableCorked === 0) {
        carrier.cork()
        nextTick(() => carrier.uncork())
      }
      socket.send(bytes, { binary: !isUtf8(bytes) })
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

type Carrier = Pick<Socket, 'cork' | 'uncork' | 'writableCorked'>

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

/** The sub-protocols of STOMP over WebSocket, best first. */
const SUB_PROTOCOLS = ['v12.stomp', 'v11.stomp']

export interface UpgradeParts {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** The best sub-protocol that was offered; a client that offers none, or others, gets none. */
export function subProtocolOf(offered: ReadonlySet<string>): string | false {
  return SUB_PROTOCOLS.find((name) => offered.has(name)) ?? false
}

export interface Obstacle {
  /** Of the answer. */
  readonly status: number
  /** For the client and the log. */
  readonly reason: string
}

interface Rule extends Obstacle {
  readonly stands: (request: IncomingMessage, parts: UpgradeParts, isDraining: boolean) => boolean
}

/**
 * The reasons to refuse a connection, in this order. Credentials are not among them: the CONNECT frame contains them.
 */
const RULES: readonly Rule[] = [
  { status: 404, reason: `the WebSocket is at ${PATH}`, stands: ({ url = '' }) => url.split('?', 1)[0] !== PATH },
  {
    status: 403,
    reason: 'the Origin is neither that of BASE_URL, nor of TRUSTED_ORIGINS, nor of the host that is asked',
    stands: ({ headers: { origin, host } }, { baseUrl, trustedOrigins }) =>
      !isOriginAllowed({ secFetchSite: undefined, origin }, baseUrl.origin, trustedOrigins) && !isOf(host, origin),
  },
  { status: 503, reason: 'the server is going', stands: (_request, _parts, isDraining) => isDraining },
]

/** What keeps a WebSocket from being opened; undefined if nothing does. */
export function obstacleTo(request: IncomingMessage, parts: UpgradeParts, isDraining: boolean): Obstacle | undefined {
  return RULES.find(({ stands }) => stands(request, parts, isDraining))
}

/**
 * Whether an origin is that of the requested host, as some clients that are no browsers send it. No cookie counts here,
 * so a page of another host gains nothing by it.
 */
function isOf(host: string | undefined, origin = ''): boolean {
  const url = URL.parse(origin)
  return url !== null && url.host !== '' && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
