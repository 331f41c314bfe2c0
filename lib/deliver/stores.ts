import type { EventKey } from '../webhooks/event.ts'
import type { DueRows } from '../work/scan.ts'
import type { Ending, Lease } from '../work/worker.ts'
import type { Health } from './breaker.ts'
import type { Delivery, DeliveryHint, DeliveryKey, DeliveryResult, DeliveryStatus } from './delivery.ts'

export interface DeliveryClaim extends DeliveryKey, Lease {}

export type DeliveryClaimed =
  | { readonly kind: 'claimed'; readonly delivery: Delivery }
  | { readonly kind: 'refused'; readonly delivery: Delivery | undefined }

/** How a try failed. */
export interface DeliveryFailure extends DeliveryResult {
  /** Undefined when it is given up. */
  readonly dueAt: Date | undefined
}

/** The moves of a delivery, each one conditional write. All throw ServiceError `UNAVAILABLE`. */
export interface DeliveryStore {
  /**
   * PENDING and due, or SENDING with an expired lease, and with the claim's number of tries → SENDING with one more. A
   * claim whose answer was lost is recognized by its owner.
   */
  claim(claim: DeliveryClaim): Promise<DeliveryClaimed>
  /** SENDING of this owner → DELIVERED. */
  deliver(claim: DeliveryClaim, delivery: Delivery, result: DeliveryResult): Promise<Ending>
  /** SENDING of this owner → PENDING, due later, or DEAD. */
  fail(claim: DeliveryClaim, delivery: Delivery, failure: DeliveryFailure): Promise<Ending>
  /** SENDING of this owner → PENDING and due at that time, with the try given back. */
  release(claim: DeliveryClaim, dueAt: Date): Promise<Ending>
  /** PENDING, or SENDING with an expired lease, with as many tries as the hint saw → DEAD. */
  abandon(hint: DeliveryHint, at: Date, answer: string): Promise<Ending>
}

export interface DueDeliveries extends DueRows<DeliveryHint> {
  /** Pages of a destination's rows whose scan was due by then, earliest first. */
  dueBy(destination: string, now: Date): AsyncIterable<readonly DueDelivery[]>
  /**
   * The number of waiting rows of a destination, when the first of them was accepted or ordered, and those that end by a
   * time.
   */
  waiting(destination: string, endingBy?: Date): Promise<Waiting>
}

export interface Waiting {
  readonly count: number
  readonly oldest: Date | undefined
  readonly ending: readonly DueDelivery[]
}

export interface DueDelivery {
  readonly hint: DeliveryHint
  readonly sweepAt: Date
}

/** The stored health of destinations. */
export interface HealthStore {
  /** A destination without a row is healthy. */
  read(destination: string): Promise<Health>
  /** Every destination with a row, including removed ones. */
  all(): Promise<readonly Health[]>
  /**
   * Writes the result of `change` on the present health, unless it is undefined; calls it again if another writer was
   * first.
   * @param known the health that was read or written last; without it, it is read
   * @returns the health that is then stored; with nothing to write, the known one
   */
  change(destination: string, change: (present: Health) => Health | undefined, known?: Health): Promise<Health>
  remove(destination: string): Promise<void>
}

/** An operator's order to deliver again. */
export interface DeliveryOrder {
  readonly at: Date
  readonly user: string
  readonly reason?: string | undefined
  /** The replay that gave the order; it gives it once for each delivery. */
  readonly replayId?: string | undefined
  /** Only a delivery in one of these states is ordered; any if absent. */
  readonly statuses?: readonly DeliveryStatus[] | undefined
}

export interface OrderedDelivery {
  /** The delivery after the order; undefined if there is none. */
  readonly delivery: Delivery | undefined
  readonly kind: 'ordered' | 'refused'
}

/** What operators do with deliveries. All throw ServiceError `UNAVAILABLE`. */
export interface DeliveryDesk {
  /** All deliveries of an event, by destination. */
  of(event: EventKey): Promise<readonly Delivery[]>
  /**
   * Any status of the order but SENDING within its lease → PENDING, due at once and with no try used up. Refused for the
   * others, and for one that the same replay has ordered before.
   */
  order(key: DeliveryKey, order: DeliveryOrder): Promise<OrderedDelivery>
  /** Makes the delivery of an event that was accepted before the destination was there, or orders it again. */
  create(delivery: Delivery, order: DeliveryOrder): Promise<OrderedDelivery>
}
