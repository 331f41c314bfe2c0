import type { Delivery, DeliveryKey, DeliveryMove, DeliveryStatus } from '../../deliver/delivery.ts'
import type { EventKey, WebhookEvent } from '../../webhooks/event.ts'
import type { NewRow } from '../../webhooks/place.ts'
import { shardOf } from './event-item.ts'
import { assignmentsOf, type Item, type Stored, storedOf, timesIn, ttlAt } from './table.ts'

/** A delivery as the table holds it. */
export interface DeliveryItem extends Stored<Omit<Delivery, keyof EventKey | 'endsAt'>> {
  /** The source and the id of the event, with a slash between them; no name of a source has one. */
  readonly event: string
  /** With `sweepAt` the key of the sparse index `due`: present while the delivery is not over. */
  readonly dueShard?: string | undefined
  readonly sweepAt?: number | undefined
  /** The key of the sparse index `dead`: the destination of a dead delivery. */
  readonly deadFor?: string | undefined
  /** In seconds. */
  readonly expireAt: number
}

/** The index of a destination is spread over a few keys. */
export function dueShardsOf(destination: string) {
  return [`${destination}#0`, `${destination}#1`, `${destination}#2`, `${destination}#3`] as const
}

export function deliveriesKey({ source, eventId }: EventKey): string {
  return `${source}/${eventId}`
}

export function deliveryKey(key: DeliveryKey) {
  return { event: deliveriesKey(key), destination: key.destination }
}

/** The delivery of an event that is stored with it. */
export function putDelivery(table: string, event: WebhookEvent, { destination, sweepAt }: NewRow, endsAt: Date) {
  const { id, source, eventId, eventType, receivedAt, payloadSha256 } = event
  const item = toDeliveryItem({
    ...{ id, source, eventId, eventType, receivedAt, destination },
    status: 'PENDING',
    attempts: 0,
    dueAt: receivedAt,
    endsAt,
    history: [],
  })
  const dueShard = shardOf(dueShardsOf(destination), payloadSha256)
  return { Put: { TableName: table, Item: { ...item, dueShard, sweepAt: sweepAt.getTime() } } }
}

/** The item of a delivery, without its place in the index. */
export function toDeliveryItem({ source, eventId, endsAt, ...delivery }: Delivery): DeliveryItem {
  return { ...storedOf(delivery), event: deliveriesKey({ source, eventId }), expireAt: ttlAt(endsAt) }
}

export function toDelivery({ event, dueShard, sweepAt, deadFor, expireAt, ...same }: DeliveryItem): Delivery {
  return {
    ...same,
    ...eventKeyIn(event),
    id: BigInt(same.id.toString()),
    ...timesIn(same, 'receivedAt', 'dueAt', 'leaseUntil', 'deliveredAt', 'orderedAt'),
    endsAt: new Date(expireAt * 1000),
    history: same.history.map((move) => ({ ...move, ...timesIn(move, 'at') })),
  }
}

/** The source and the id in the key of an event's deliveries. */
export function eventKeyIn(event: string): EventKey {
  const slash = event.indexOf('/')
  return { source: event.slice(0, slash), eventId: event.slice(slash + 1) }
}

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
  const assigned = assignmentsOf({ ...set, status, history: storedOf(history) })
  const removals = remove.map((name) => `#${name}`)
  const removal = removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''
  return {
    TableName: table,
    Key: deliveryKey(key),
    UpdateExpression: `SET ${assigned.text}${removal}`,
    ConditionExpression: when,
    ExpressionAttributeValues: { ...values, ...assigned.values },
  }
}
