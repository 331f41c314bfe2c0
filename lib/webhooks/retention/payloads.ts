import type { EventHead, EventKey } from '../event.ts'

/** The order of an operator to delete a payload. */
export interface DeletionOrder {
  readonly at: Date
  /** The operator's name. */
  readonly user: string
  /** Whether it also ends a run of the event that waits or is under way. */
  readonly isForced: boolean
}

export type PayloadDeletion =
  /** The event after the deletion; `isEnded` if it was waiting for a run, which the deletion has ended. */
  | { readonly kind: 'deleted'; readonly event: EventHead; readonly isEnded: boolean }
  /** The event waits for a run, or one is under way. */
  | { readonly kind: 'needed'; readonly event: EventHead }
  | { readonly kind: 'missing' }

/**
 * Deletes payloads: body, headers, parts, elements of a batch, and a type that is no name. The identity of the event,
 * its hashes and its history stay. If an earlier deletion was incomplete, it is completed. All throw ServiceError
 * `UNAVAILABLE`.
 */
export interface PayloadStore {
  /** Deletes the payload of an event for an operator, and records that in its history. */
  deleteOrdered(event: EventHead, order: DeletionOrder): Promise<PayloadDeletion>
}

/** The deliveries of an event, as deletions need them. All throw ServiceError `UNAVAILABLE`. */
export interface EventDeliveries {
  /** `open` while one waits for a try, or has one under way; `over` when all have ended; `none` if there are none. */
  stateOf(event: EventKey): Promise<'none' | 'open' | 'over'>
  /** Ends those that are not over, including a try that is under way. @returns their number */
  endAll(event: EventKey, at: Date, answer: string): Promise<number>
}

/** The result of a delivery whose payload is deleted. */
export const PAYLOAD_DELETED = 'the payload was deleted'
