import { status as Code, Metadata, type StatusObject } from '@grpc/grpc-js'
import { fail } from '../errors.ts'
import type { Timers } from '../runtime/async.ts'
import { ANONYMOUS, type AnonymousClients } from '../runtime/limits.ts'
import type { CallStream } from './connections.ts'
import { statusOf } from './status.ts'

/** The statuses that end a call without a token. */
const FULL = statusOf(fail('TOO_MANY_REQUESTS', { retryAfterSeconds: ANONYMOUS.patience / 1000 }))
const TOO_LARGE = statusOf(fail('PAYLOAD_TOO_LARGE'))
const LATE: StatusObject = {
  code: Code.DEADLINE_EXCEEDED,
  details: 'The request did not come in time',
  metadata: new Metadata(),
}
const OVER = statusOf(fail('AUTHENTICATION_REQUIRED'))

/** How long a stream may outlive its call, in milliseconds. */
const CLOSE_TIMEOUT = 1000

interface AnonymousCall {
  readonly stream: CallStream
  /** The value of `X-Forwarded-For`. */
  readonly forwarded: string
  readonly isStream: boolean
  /** Ends the call. */
  end(status: StatusObject): void
}

/**
 * Finds a place for a call without a token, until its stream is closed, because the caller alone does not decide when
 * the call ends.
 * @returns whether there is one; if not, the call is over
 */
export function isAdmitted(
  { stream: { connection, stream }, forwarded, isStream, end }: AnonymousCall,
  { anonymous, timers }: { readonly anonymous: AnonymousClients; readonly timers: Timers },
): boolean {
  const caller = { peer: connection.peer, forwarded }

  function sendAway(status: StatusObject): void {
    cancel()
    end(status)
    cancel = timers.after(CLOSE_TIMEOUT, () => stream.destroy())
  }

  const place = anonymous.take(caller, () => sendAway(FULL))
  if (!place) {
    end(FULL)
    return false
  }
  const [time, reason, status] = isStream
    ? [ANONYMOUS.streamAge, 'a stream without a token', OVER]
    : [ANONYMOUS.patience, 'no request in time', LATE]
  let cancel = timers.after(time, () => {
    anonymous.refused(caller, reason)
    sendAway(status)
  })
  const gone = connection.stay()
  let bytes = 0
  stream.on('data', (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > ANONYMOUS.messageBytes) sendAway(TOO_LARGE)
  })
  stream.once('close', () => {
    cancel()
    place.leave()
    gone()
  })
  return true
}
