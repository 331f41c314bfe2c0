import type { DeliveryKey, DeliveryMove, DeliveryStatus } from '../../deliver/delivery.ts'
import type { Item } from './conditional.ts'
import { deliveryKey, toMoveItem } from './delivery-item.ts'

/** What the table has only of deliveries that wait or are under way. */
export const WAITING_ATTRIBUTES = ['dueAt', 'dueShard', 'sweepAt']

/** One step of a delivery. */
export interface DeliveryStep {
  readonly status: DeliveryStatus
  /** The history with the step, where it leaves a trace. */
  readonly history?: readonly DeliveryMove[] | undefined
  /** Undefined values are left alone. */
  readonly set: Item
  readonly remove: readonly string[]
  readonly when: string
  readonly values: Item
}

/** The conditional update of the deliveries table that makes a step. */
export function deliveryUpdate(table: string, key: DeliveryKey, step: DeliveryStep) {
  const { status, history, set, remove, when, values } = step
  const all = { ...set, status, history: history?.map(toMoveItem) }
  const assigned = Object.entries(all).filter(([, value]) => value !== undefined)
  const assignments = assigned.map(([name]) => `#${name} = :to_${name}`)
  const removals = remove.map((name) => `#${name}`)
  const removal = removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''
  const names = [...assigned.map(([name]) => name), ...remove, ...(when.includes('#owner') ? ['owner'] : [])]
  return {
    TableName: table,
    Key: deliveryKey(key),
    UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
    ConditionExpression: when,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(assigned.map(([name, value]) => [`:to_${name}`, value])),
    },
  }
}
