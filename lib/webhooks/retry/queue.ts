import type { Log } from '../../runtime/log.ts'
import { type EventHead, hintOf, type RetryHint } from '../event.ts'

/**
 * The longest delay of a message, in milliseconds (SQS API reference, SendMessage: DelaySeconds goes from 0 to 900).
 * For a longer wait, a worker sends the hint on from hop to hop.
 */
export const LONGEST_DELAY = 900_000

/** Wakes a worker at the right time. */
export interface RetryQueue {
  /** @throws ServiceError `UNAVAILABLE`, `MessageRefused` */
  send(hint: RetryHint, delayMs: number): Promise<void>
}

type Waiting = Pick<EventHead, 'source' | 'eventId' | 'status' | 'attempts'>

/** Sends a hint for the next run of an event; if that fails, the scan still finds the row. */
export async function scheduleRetry(queue: RetryQueue, log: Log, event: Waiting, delayMs: number): Promise<void> {
  const { source, eventId } = event
  try {
    await queue.send(hintOf(event), delayMs)
  } catch (cause) {
    log.warn('retry hint not sent, the scan will find the event', { source, eventId, cause })
  }
}
