import type { Log } from '../runtime/log.ts'
import type { DeliveryHint } from './delivery.ts'

/** The queues of the destinations. */
export interface DeliveryQueue {
  /** @throws ServiceError `UNAVAILABLE`, `MessageRefused` */
  send(hint: DeliveryHint, delayMs: number): Promise<void>
}

/**
 * The queue of a destination stands beside the retry queue, `…-retry`: its name, or address, ends with
 * `-deliver-<destination>` in place of that, with dashes for what no name of a queue has.
 */
export function deliveryQueueBeside(retryQueue: string, destination: string): string {
  return `${retryQueue.replace(/-retry$/, '')}-deliver-${destination.replaceAll(/[^\w-]/g, '-')}`
}

/** Sends a hint; if that fails, the scan still finds the delivery. */
export async function scheduleDelivery(
  queue: DeliveryQueue,
  log: Log,
  hint: DeliveryHint,
  delayMs: number,
): Promise<void> {
  const { source, eventId, destination } = hint
  try {
    await queue.send(hint, delayMs)
  } catch (cause) {
    log.warn('delivery hint not sent, the scan will find the delivery', { source, eventId, destination, cause })
  }
}
