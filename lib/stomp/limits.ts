import { fail } from '../errors.ts'
import { ANONYMOUS } from '../runtime/limits.ts'
import type { Clock } from '../runtime/time.ts'

/** Limits that settings change. */
interface ChosenLimits {
  /** How often the server sends and expects a heart-beat at most, in milliseconds; 0 is never. */
  readonly heartBeat: number
  /** Of one frame. */
  readonly bodyBytes: number
  readonly framesPerSecond: number
  readonly frameBurst: number
}

/** What one session may take; times in milliseconds. */
export interface SessionLimits extends ChosenLimits {
  readonly connectTimeout: number
  readonly subscriptions: number
  readonly openTransactions: number
  /** In all open transactions. */
  readonly transactionFrames: number
  /** Messages of a subscription that wait for their ACK; further ones wait with the server. */
  readonly unacknowledged: number
  /** Bodies that the server keeps for a session: in open transactions, or behind unacknowledged messages. */
  readonly keptBytes: number
  /** What the client may leave unread. */
  readonly bufferedBytes: number
  /** What may come before CONNECTED. */
  readonly earlyBytes: number
}

const MIB = 2 ** 20

export function sessionLimits(chosen: ChosenLimits): SessionLimits {
  return {
    connectTimeout: ANONYMOUS.patience,
    subscriptions: 64,
    openTransactions: 16,
    transactionFrames: 1000,
    unacknowledged: 100,
    keptBytes: MIB,
    bufferedBytes: MIB,
    earlyBytes: ANONYMOUS.messageBytes,
    ...chosen,
  }
}

/** What a kept message takes beside its texts and bytes. */
const OVERHEAD = 512

interface Keepable {
  readonly headers: Iterable<readonly [string, string]>
  readonly body: Uint8Array
}

/** Bytes that a kept message takes, or nearly so. */
export function sizeOf({ headers, body }: Keepable): number {
  let size = OVERHEAD + body.length
  for (const [name, value] of headers) size += name.length + value.length
  return size
}

/** Bytes that a session may have kept for it. */
export interface Budget {
  /** Whether there was room for so many. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createBudget(limit: number): Budget {
  let taken = 0
  return {
    take(bytes) {
      const hasRoom = taken + bytes <= limit
      if (hasRoom) taken += bytes
      return hasRoom
    },
    give(bytes) {
      taken -= bytes
    },
  }
}

interface Limits {
  readonly framesPerSecond: number
  readonly frameBurst: number
}

/** A bucket that fills at a rate. @returns takes one out of it @throws ServiceError `TOO_MANY_REQUESTS` once it is empty */
export function frameRate({ framesPerSecond, frameBurst }: Limits, clock: Clock): () => void {
  let level = frameBurst
  let filledAt = clock.now().getTime()
  return () => {
    const now = clock.now().getTime()
    level = Math.min(frameBurst, level + ((now - filledAt) * framesPerSecond) / 1000)
    filledAt = now
    if (level < 1) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })
    level -= 1
  }
}
