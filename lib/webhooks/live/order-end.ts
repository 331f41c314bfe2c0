import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import type { EventHead, EventKey } from '../event.ts'
import type { Replay } from '../operators/replay.ts'

/** The end of a retry or a replay, for the person who ordered it. */
export interface OrderEnd {
  readonly kind: 'order'
  /** The id of that person's account. */
  readonly orderedBy: string
  readonly notice: RetryFinished | ReplayFinished
}

interface RetryFinished extends EventKey {
  readonly type: 'retry-finished'
  /** FAILED: no attempt is left. */
  readonly status: 'PROCESSED' | 'FAILED'
  /** A local date-time. */
  readonly at: string
}

interface ReplayFinished extends Pick<Replay, 'replayId' | 'matched' | 'done' | 'failed'> {
  readonly type: 'replay-finished'
  readonly state: 'DONE'
  /** A local date-time. */
  readonly at: string
}

/** @returns undefined while the event can still change, and for one whose last order names no account */
export function retryEnd({ source, eventId, status, dead, orderedBy }: EventHead, at: Date): OrderEnd | undefined {
  const isFinal = status === 'PROCESSED' || (status === 'FAILED' && dead)
  if (orderedBy === undefined || !isFinal) return undefined
  return {
    kind: 'order',
    orderedBy,
    notice: { type: 'retry-finished', source, eventId, status, at: toLocalDateTime(at) },
  }
}

/** @returns undefined for a replay whose order names no account */
export function replayEnd({ orderedBy, replayId, matched, done, failed }: Replay, at: Date): OrderEnd | undefined {
  if (orderedBy === undefined) return undefined
  const counts = { state: 'DONE', matched, done, failed } as const
  return { kind: 'order', orderedBy, notice: { type: 'replay-finished', replayId, ...counts, at: toLocalDateTime(at) } }
}
