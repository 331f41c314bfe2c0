import type { EventHead, EventKey } from '../event.ts'

/** Who has a payload deleted by hand. */
export interface DeletionOrder {
  readonly at: Date
  /** The operator's name. */
  readonly user: string
  /** Whether a run of the event that waits or is under way ends with it. */
  readonly isForced: boolean
}

export type PayloadDeletion =
  /** As it stands now; `isEnded` if that took it a run. */
  | { readonly kind: 'deleted'; readonly event: EventHead; readonly isEnded: boolean }
  /** The event waits for a run, or one is under way. */
  | { readonly kind: 'needed'; readonly event: EventHead }
  | { readonly kind: 'missing' }

/**
 * Deletes payloads: body, headers, parts, elements of a batch, and a type that is no name. The identity of the event, its
 * hashes and its history stay. A deletion that was made before is made good: what it left behind goes. All throw
 * ServiceError `UNAVAILABLE`.
 */
export interface PayloadStore {
  /** Deletes the payload of an event that no run needs. */
  deleteSettled(event: EventKey & Pick<EventHead, 'eventType'>, at: Date): Promise<PayloadDeletion>
  /** Deletes the payload of an event for an operator, and says so in its history. */
  deleteOrdered(event: EventHead, order: DeletionOrder): Promise<PayloadDeletion>
  /** Keeps what is stored beside the event from expiring before `until`. */
  keepBeside(event: EventKey, until: Date): Promise<void>
}

/** What deletions have to know of the deliveries of an event. All throw ServiceError `UNAVAILABLE`. */
export interface EventDeliveries {
  /** `open` while one waits for a try, or has one under way; `over` when all have ended; `none` if there are none. */
  stateOf(event: EventKey): Promise<'none' | 'open' | 'over'>
  /** Ends those that are not over, a try that is under way included. @returns how many */
  endAll(event: EventKey, at: Date, answer: string): Promise<number>
  /** Deletes those that are over. */
  deleteEnded(event: EventKey): Promise<void>
}

/** What becomes of a delivery whose payload is gone. */
export const PAYLOAD_DELETED = 'the payload was deleted'
