import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'

const CREATED = 'http2.server.stream.created'

const NAME = 'authorization'

/** What Node tells of a stream that a caller opened. */
interface Created {
  readonly stream: { readonly session?: ServerHttp2Session }
}

/**
 * Joins what a caller repeats under `authorization`, as RFC 9110 section 5.3 does, so that it is no token. Node's HTTP/2
 * keeps the first value and says nothing of the others, and a proxy in front might have read the last.
 * @returns what ends it
 */
export function joinRepeatedAuthorization(): () => void {
  const sessions = new WeakSet<ServerHttp2Session>()

  function watch(message: unknown): void {
    const { session } = (message as Created).stream
    if (!session || sessions.has(session)) return
    sessions.add(session)
    session.prependListener('stream', join)
  }

  subscribe(CREATED, watch)
  return () => void unsubscribe(CREATED, watch)
}

/** Node hands the same object on to whoever handles the stream. Hardly a caller names anything twice. */
function join(_: ServerHttp2Stream, headers: IncomingHttpHeaders, __: number, raw: readonly string[]): void {
  if (raw.indexOf(NAME) === raw.lastIndexOf(NAME)) return
  const values = raw.filter((_value, index) => index % 2 === 1 && raw[index - 1] === NAME)
  if (values.length > 1) headers.authorization = values.join(', ')
}
