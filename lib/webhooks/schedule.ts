import type { Log } from '../platform/log.ts'
import type { RetryHint, WebhookEvent } from './event.ts'

/** Wakes a worker up at the right time. */
export interface RetryQueue {
  /** @throws ServiceError `UNAVAILABLE` */
  send(hint: RetryHint, delayMs: number): Promise<void>
}

/** Sends a hint for the next retry of a failed event; when that does not work, the scan finds the row all the same. */
export async function scheduleRetry(queue: RetryQueue, log: Log, event: WebhookEvent, delayMs: number): Promise<void> {
  const { source, eventId, attempts: n } = event
  try {
    await queue.send({ source, eventId, n }, delayMs)
  } catch (cause) {
    log.warn('retry hint not sent, the scan will find the event', { source, eventId, cause })
  }
}
