import { status as Code, Metadata, type StatusObject } from '@grpc/grpc-js'
import { fail } from '../errors.ts'
import type { Timers } from '../runtime/async.ts'
import { STRANGER, type Strangers } from '../runtime/limits.ts'
import { statusOf } from './status.ts'
import type { Visit } from './visits.ts'

/** The statuses that end the calls of strangers. */
const FULL = statusOf(fail('TOO_MANY_REQUESTS', { retryAfterSeconds: STRANGER.patience / 1000 }))
const TOO_LARGE = statusOf(fail('PAYLOAD_TOO_LARGE'))
const LATE: StatusObject = {
  code: Code.DEADLINE_EXCEEDED,
  details: 'The request did not come in time',
  metadata: new Metadata(),
}
const OVER = statusOf(fail('AUTHENTICATION_REQUIRED'))

/** How long a stream may outlive its call, in milliseconds. */
const CLOSE_TIMEOUT = 1000

interface StrangerCall {
  readonly visit: Visit
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
  { visit: { connection, stream }, forwarded, isStream, end }: StrangerCall,
  { strangers, timers }: { readonly strangers: Strangers; readonly timers: Timers },
): boolean {
  const arrival = { peer: connection.peer, forwarded }

  function sendAway(status: StatusObject): void {
    cancel()
    end(status)
    cancel = timers.after(CLOSE_TIMEOUT, () => stream.destroy())
  }

  const place = strangers.take(arrival, () => sendAway(FULL))
  if (!place) {
    end(FULL)
    return false
  }
  const [time, reason, status] = isStream
    ? [STRANGER.stay, 'a stream without a token', OVER]
    : [STRANGER.patience, 'no request in time', LATE]
  let cancel = timers.after(time, () => {
    strangers.turnedAway(arrival, reason)
    sendAway(status)
  })
  const gone = connection.stay()
  let bytes = 0
  stream.on('data', (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > STRANGER.messageBytes) sendAway(TOO_LARGE)
  })
  stream.once('close', () => {
    cancel()
    place.leave()
    gone()
  })
  return true
}
