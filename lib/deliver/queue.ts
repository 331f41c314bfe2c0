import type { Log } from '../runtime/log.ts'
import { type HintQueue, schedule } from '../work/hints.ts'
import type { DeliveryHint } from './delivery.ts'

/** The queues of the destinations. */
export type DeliveryQueue = HintQueue<DeliveryHint>

/**
 * The queue of a destination stands beside the retry queue, `…-retry`: its name, or address, ends with
 * `-deliver-<destination>` in place of that, with dashes for what no name of a queue has.
 */
export function deliveryQueueBeside(retryQueue: string, destination: string): string {
  return `${retryQueue.replace(/-retry$/, '')}-deliver-${destination.replaceAll(/[^\w-]/g, '-')}`
}

/** Sends a hint for the next try of a delivery. */
export function scheduleDelivery(queue: DeliveryQueue, log: Log, hint: DeliveryHint, delayMs: number): Promise<void> {
  const { source, eventId, destination } = hint
  return schedule(queue, log, hint, delayMs, { source, eventId, destination })
}
