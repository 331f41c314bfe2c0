import { once } from 'node:events'
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Cancel, Timers } from '../runtime/async.ts'
import { type Place, STRANGER, type Strangers } from '../runtime/limits.ts'

/** How long a connection may take to close after GOAWAY, in milliseconds. */
const CLOSE_TIMEOUT = 1000

/** After so much silence, in milliseconds, TCP checks whether the other end still exists. */
const KEEP_ALIVE_MS = 60_000

interface Parts {
  /** The places of connections and streams without a verified token. */
  readonly strangers: { readonly connections: Strangers; readonly streams: Strangers }
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
export function createConnections({ strangers, timers, connect }: ConnectionsParts): Connections {
  const open = new Map<string, Connection>()

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) => {
    const place = strangers.connections.take({ peer: socket.remoteAddress }, () => socket.destroy())
    if (!place) {
      socket.destroy()
      return
    }
    const key = keyOf(socket)
    const connection = new Connection(socket, place, { strangers, timers })
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

/** A connection of a stranger, until a token was verified on it. As such it ends after some seconds without a call. */
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
  known(): void {
    if (!this.#place) return
    this.#place.leave()
    this.#place = undefined
    for (const place of this.#streams) place.leave()
    this.#streams.clear()
    this.#stopWaiting?.()
  }

  /**
   * Takes a place for a stranger's new stream, until the stream is closed, however its call ends. If there is no place,
   * its caller may retry at once (RFC 9113 section 8.7).
   */
  begin(stream: ServerHttp2Stream, forwarded: string | readonly string[] = []): void {
    if (!this.#place) return
    const arrival = { peer: this.peer, forwarded: [forwarded].flat().join(',') }
    const place = this.#parts.strangers.streams.take(arrival, () => stream.destroy())
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

  /** Counts an accepted call of a stranger. @returns the function to call when the call has ended */
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
    const { strangers, timers } = this.#parts
    if (!this.#place || strangers.connections.isProxy({ peer: this.peer })) return
    this.#stopWaiting = timers.after(STRANGER.patience, () => this.#retire())
  }

  #retire(): void {
    const { strangers, timers } = this.#parts
    strangers.connections.turnedAway({ peer: this.peer }, 'no call in time')
    this.session?.close()
    this.#stopWaiting = timers.after(this.session ? CLOSE_TIMEOUT : 0, () => this.#socket.destroy())
  }
}
