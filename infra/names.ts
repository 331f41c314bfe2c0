import { createHash } from 'node:crypto'
import type { Network } from '../lib/config.ts'
import type { Destination } from '../lib/deliver/destination.ts'

/** The prefix of the logical ids of a function's resources, as the deployment engine makes it. */
export function logicalIdOf(functionName: string): string {
  return functionName.charAt(0).toUpperCase() + functionName.slice(1)
}

/** The function that looks for deliveries that wait. */
export const DELIVERY_SCAN = 'deliveryScan'

/** The function that serves all destinations but handlers and those in a network. */
const DELIVER = 'deliver'

/**
 * The function that serves a destination: the handler `shop:order-paid` has `deliverShopOrderPaid`, the destinations of
 * one network `deliverNetwork` and a hash of it.
 */
export function servingFunctionOf({ name, target, network }: Pick<Destination, 'name' | 'target' | 'network'>): string {
  if (target.to === 'handler') return joined(name)
  return network ? `${DELIVER}Network${hashOf(network)}` : DELIVER
}

function hashOf({ subnetIds, securityGroupIds }: Network): string {
  const ids = [...new Set([...subnetIds, ...securityGroupIds])].sort().join()
  return createHash('sha256').update(ids).digest('hex').slice(0, 8).toUpperCase()
}

/** What the logical ids of a destination's resources begin with: `crm-eu` has `DeliverCrmEu`. */
export function deliverIdOf(destination: string): string {
  return logicalIdOf(joined(destination))
}

/** The logical id of the queue of a destination. */
export function deliverQueueOf(destination: string): `${string}Queue` {
  return `${deliverIdOf(destination)}Queue`
}

function joined(destination: string): string {
  return [DELIVER, ...destination.split(/[^a-z0-9]/).map(logicalIdOf)].join('')
}

/** The logical id of the nested stack of all destinations. */
export const DESTINATIONS_STACK = 'DestinationsStack'

/** Whether a resource of the stack, by its logical id, is there for destinations only; the table is there without. */
export function isOfDestinations(id: string): boolean {
  return /^Delivery?[A-Z]/.test(id)
}
