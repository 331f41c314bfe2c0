import { Buffer } from 'node:buffer'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { dropFarDeadline } from './call.ts'
import type { Connection, Connections } from './connections.ts'

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
export interface Visit {
  readonly connection: Connection
  readonly stream: ServerHttp2Stream
}

export interface Visits {
  /** The visit of the call whose interceptor is being created. */
  latest(): Visit | undefined
  stop(): void
}

/**
 * Receives each stream right before grpc-js, which then creates the interceptors of its call at once. It repairs the
 * headers in place, because Node passes this same object to grpc-js. It removes deadlines that grpc-js cannot wait for.
 *
 * It joins repeated `authorization` headers, as RFC 9110 section 5.3 does, so that the result is no token. Node's
 * HTTP/2 keeps the first value and hides the others, and a proxy in front might have read the last.
 */
export function watchVisits(connections: Pick<Connections, 'of'>): Visits {
  const sessions = new WeakSet<ServerHttp2Session>()
  let latest: Visit | undefined

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
