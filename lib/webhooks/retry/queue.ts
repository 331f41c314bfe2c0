import type { Log } from '../../runtime/log.ts'
import { type EventHead, hintOf, type RetryHint } from '../event.ts'

/**
 * How long the queue holds a message back at most (SQS API reference, SendMessage: DelaySeconds goes from 0 to 900). For a
 * longer wait a hint is sent on from hop to hop.
 */
export const LONGEST_DELAY = 900_000

/** Wakes a worker up at the right time. */
export interface RetryQueue {
  /** @throws ServiceError `UNAVAILABLE` */
  send(hint: RetryHint, delayMs: number): Promise<void>
}

type Waiting = Pick<EventHead, 'source' | 'eventId' | 'status' | 'attempts'>

/** Sends a hint for the next run of an event; when that does not work, the scan finds the row all the same. */
export async function scheduleRetry(queue: RetryQueue, log: Log, event: Waiting, delayMs: number): Promise<void> {
  const { source, eventId } = event
  try {
    await queue.send(hintOf(event), delayMs)
  } catch (cause) {
    log.warn('retry hint not sent, the scan will find the event', { source, eventId, cause })
  }
}
