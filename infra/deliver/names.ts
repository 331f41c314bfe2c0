import { logicalIdOf } from '../logical-id.ts'

/** The function that looks for deliveries that wait. */
export const DELIVERY_SCAN = 'deliveryScan'

/** The function that serves a destination: `crm-eu` has `deliverCrmEu`, `shop:order-paid` has `deliverShopOrderPaid`. */
export function deliverFunctionOf(destination: string): string {
  return ['deliver', ...destination.split(/[^a-z0-9]/).map(logicalIdOf)].join('')
}

/** The logical id of the queue that it reads. */
export function deliverQueueOf(destination: string): `${string}Queue` {
  return `${logicalIdOf(deliverFunctionOf(destination))}Queue`
}

/** The logical id of the queue for what it failed at five times. */
export function deadLetterQueueOf(destination: string): string {
  return `${logicalIdOf(deliverFunctionOf(destination))}DeadLetterQueue`
}

/** The logical id of the nested stack of all destinations. */
export const DESTINATIONS_STACK = 'DestinationsStack'

/** Whether a resource of the stack, by its logical id, is there for destinations only; the table is there without. */
export function isOfDestinations(id: string): boolean {
  return /^Deliver(?:[A-Z]|yScan|yQueuesPolicy)/.test(id)
}
