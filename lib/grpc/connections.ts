import { Buffer } from 'node:buffer'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Cancel, Timers } from '../runtime/async.ts'
import { ANONYMOUS, type AnonymousClients, type Place } from '../runtime/limits.ts'
import { dropFarDeadline } from './call.ts'

/** How long a connection may take to close after GOAWAY, in milliseconds. */
const CLOSE_TIMEOUT = 1000

/** After so much silence, in milliseconds, TCP checks whether the other end still exists. */
const KEEP_ALIVE_MS = 60_000

interface Parts {
  /** The places of connections and streams without a verified token. */
  readonly anonymous: { readonly connections: AnonymousClients; readonly streams: AnonymousClients }
  readonly timers: Timers
}

interface ConnectionsParts extends Parts {
  /** Passes a connection on to grpc-js. */
  connect(socket: Socket): void
}

/** The port, in front of grpc-js. */
export interface Connections {
  /** @returns the port, which the system chooses for 0 */
  listen(host: string, port: number): Promise<number>
  /** Accepts no further connections; settles when all are closed. */
  close(): Promise<void>
  /** Destroys every open connection. */
  destroy(): void
  of(session: ServerHttp2Session): Connection | undefined
}

/**
 * grpc-js limits neither the number of connections nor their idle time. So this server listens in its place, and passes
 * on only the connections that have a place.
 */
export function createConnections({ anonymous, timers, connect }: ConnectionsParts): Connections {
  const open = new Map<string, Connection>()

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) => {
    const place = anonymous.connections.take({ peer: socket.remoteAddress }, () => socket.destroy())
    if (!place) {
      socket.destroy()
      return
    }
    const key = keyOf(socket)
    const connection = new Connection(socket, place, { anonymous, timers })
    open.set(key, connection)
    socket.once('close', () => {
      open.delete(key)
      connection.closed()
    })
    connect(socket)
  })

  return {
    async listen(host, port) {
      server.listen(port, host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
    destroy() {
      for (const connection of open.values()) connection.destroy()
    },
    of: ({ socket }) => (socket ? open.get(keyOf(socket)) : undefined),
  }
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}

/** A connection without a token, until one was verified on it. Before that it ends after some seconds without a call. */
export class Connection {
  /** Set with its first stream. */
  session: ServerHttp2Session | undefined
  readonly peer: string | undefined
  readonly #socket: Socket
  readonly #parts: Parts
  #place: Place | undefined
  readonly #streams = new Set<Place>()
  #calls = 0
  #stopWaiting: Cancel | undefined

  constructor(socket: Socket, place: Place, parts: Parts) {
    this.#socket = socket
    this.peer = socket.remoteAddress
    this.#place = place
    this.#parts = parts
    this.#wait()
  }

  /** A call on this connection has verified a token. */
  authenticated(): void {
    if (!this.#place) return
    this.#place.leave()
    this.#place = undefined
    for (const place of this.#streams) place.leave()
    this.#streams.clear()
    this.#stopWaiting?.()
  }

  /**
   * Takes a place for a new stream without a token, until it is closed, however its call ends. If there is none,
   * its caller may retry at once (RFC 9113 section 8.7).
   */
  begin(stream: ServerHttp2Stream, forwarded: string | readonly string[] = []): void {
    if (!this.#place) return
    const caller = { peer: this.peer, forwarded: [forwarded].flat().join(',') }
    const place = this.#parts.anonymous.streams.take(caller, () => stream.destroy())
    if (!place) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM)
      return
    }
    this.#streams.add(place)
    stream.once('close', () => {
      place.leave()
      this.#streams.delete(place)
    })
  }

  /** Counts an accepted call without a token. @returns the function to call when the call has ended */
  stay(): Cancel {
    this.#calls += 1
    this.#stopWaiting?.()
    return () => {
      this.#calls -= 1
      if (this.#calls === 0) this.#wait()
    }
  }

  closed(): void {
    this.#place?.leave()
    this.#place = undefined
    this.#stopWaiting?.()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Closes the connection if it stays idle. That of a proxy stays: the next client uses it. */
  #wait(): void {
    const { anonymous, timers } = this.#parts
    if (!this.#place || anonymous.connections.isProxy({ peer: this.peer })) return
    this.#stopWaiting = timers.after(ANONYMOUS.patience, () => this.#retire())
  }

  #retire(): void {
    const { anonymous, timers } = this.#parts
    anonymous.connections.refused({ peer: this.peer }, 'no call in time')
    this.session?.close()
    this.#stopWaiting = timers.after(this.session ? CLOSE_TIMEOUT : 0, () => this.#socket.destroy())
  }
}

const CREATED = 'http2.server.stream.created'

const NAME = 'authorization'

const NOTHING = Buffer.alloc(0)

/** As grpc-js calls it. */
type Ping = (callback: (error: Error | null, milliseconds: number, payload: Buffer) => void) => boolean

/** The part that we use of Node's event for a stream that a caller opened. */
interface Created {
  readonly stream: { readonly session?: ServerHttp2Session }
}

/** The connection and stream of a call: grpc-js shows neither to an interceptor. */
export interface CallStream {
  readonly connection: Connection
  readonly stream: ServerHttp2Stream
}

export interface CallStreams {
  /** The stream of the call whose interceptor is being created. */
  latest(): CallStream | undefined
  stop(): void
}

/**
 * Receives each stream right before grpc-js, which then creates the interceptors of its call at once. It repairs the
 * headers in place, because Node passes this same object to grpc-js. It removes deadlines that grpc-js cannot wait for.
 *
 * It joins repeated `authorization` headers, as RFC 9110 section 5.3 does, so that the result is no token. Node's
 * HTTP/2 keeps the first value and hides the others, and a proxy in front might have read the last.
 */
export function watchStreams(connections: Pick<Connections, 'of'>): CallStreams {
  const sessions = new WeakSet<ServerHttp2Session>()
  let latest: CallStream | undefined

  function watch(message: unknown): void {
    const { session } = (message as Created).stream
    const connection = session && !sessions.has(session) ? connections.of(session) : undefined
    if (!session || !connection) return
    sessions.add(session)
    connection.session = session
    answerPingsWhileClosing(session)
    session.prependListener('stream', (stream, headers, _, raw) => {
      latest = { connection, stream }
      connection.begin(stream, headers['x-forwarded-for'])
      dropFarDeadline(headers)
      join(headers, raw)
    })
  }

  subscribe(CREATED, watch)
  return { latest: () => latest, stop: () => void unsubscribe(CREATED, watch) }
}

/** Most calls have no repeated header. */
function join(headers: IncomingHttpHeaders, raw: readonly string[]): void {
  if (raw.indexOf(NAME) === raw.lastIndexOf(NAME)) return
  const values = raw.filter((_value, index) => index % 2 === 1 && raw[index - 1] === NAME)
  if (values.length > 1) headers.authorization = values.join(', ')
}

/**
 * Node sends no ping on a session that is closing, that is after a GOAWAY from either side. grpc-js 1.14.7 takes that
 * for a lost connection and cuts the open streams. So such a ping counts as answered: TCP notices a lost client.
 */
function answerPingsWhileClosing(session: ServerHttp2Session): void {
  const ping: Ping = session.ping.bind(session)
  const answered: Ping = (callback) => {
    if (!session.closed || session.destroyed) return ping(callback)
    setImmediate(callback, null, 0, NOTHING)
    return true
  }
  Object.assign(session, { ping: answered })
}
