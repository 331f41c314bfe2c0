import type { EventKey, WebhookEvent } from '../webhooks/event.ts'

/** PENDING waits for `dueAt`; SENDING has an owner until `leaseUntil`; DEAD was given up. */
export type DeliveryStatus = 'PENDING' | 'SENDING' | 'DELIVERED' | 'DEAD'

/** One event on its way to one destination. */
export interface DeliveryKey extends EventKey {
  readonly destination: string
}

/** One try, or an order of an operator. */
export interface DeliveryMove {
  readonly at: Date
  readonly status: DeliveryStatus
  /** The status or the class of the error, at most 256 characters. */
  readonly answer?: string | undefined
  /** The operator's name. */
  readonly user?: string | undefined
  readonly reason?: string | undefined
}

export interface Delivery extends DeliveryKey {
  /** That of its event. */
  readonly id: bigint
  readonly eventType: string
  readonly status: DeliveryStatus
  /** When its event was accepted. */
  readonly receivedAt: Date
  /** The number of claimed tries since the acceptance or the last order. */
  readonly attempts: number
  /** When the next try is due; absent if none is planned. */
  readonly dueAt?: Date | undefined
  readonly owner?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** The result of the last try. */
  readonly answer?: string | undefined
  readonly deliveredAt?: Date | undefined
  /** When an operator last ordered a delivery. */
  readonly orderedAt?: Date | undefined
  /** The last replay that ordered it. */
  readonly replayId?: string | undefined
  /** When it ends with its event. */
  readonly endsAt: Date
  /** The latest moves, oldest first. */
  readonly history: readonly DeliveryMove[]
}

/** A message that wakes the worker of a destination. It is only a hint: the stored row is the truth. */
export interface DeliveryHint extends DeliveryKey {
  /** The number of tries in the row when the hint was sent. If the row has another number, the hint is dropped. */
  readonly n: number
  /** The one try that an open circuit lets through. */
  readonly isProbe?: true | undefined
  /** How often in a row the hint was sent on because the delivery was not due yet; 0 when absent. */
  readonly hops?: number | undefined
}

export function deliveryHint({ source, eventId, destination, attempts }: DeliveryKey & Pick<Delivery, 'attempts'>) {
  return { source, eventId, destination, n: attempts } satisfies DeliveryHint
}

/** The part of an event that a destination receives. */
export type DeliveredEvent = Pick<
  WebhookEvent,
  'id' | 'source' | 'eventId' | 'eventType' | 'receivedAt' | 'payload' | 'headers' | 'proof'
>
