import { SOURCE_NAME } from '../contract/requests/fields.ts'
import type { OrderChange } from '../orders/order.ts'
import type { PaymentChange } from '../payments/payment.ts'
import type { BatchItem, EventIdentity } from './identity.ts'
import type { SignatureScheme } from './schemes/scheme.ts'
import type { Proven, VerifiedBody } from './verify.ts'

/**
 * The effects of an event: at most one change of a payment or an order, and an outcome for the record if there is more
 * to report.
 */
export interface Plan {
  readonly payment?: PaymentChange
  readonly order?: OrderChange
  readonly outcome?: string
}

/** A call of a verified sender, and the stored part of its headers: `content-encoding` only if its body is under one. */
export interface VerifiedCall {
  readonly body: VerifiedBody
  readonly headers: Readonly<Record<string, string>>
  /** Absent if no proof was required, and for a stored event. */
  readonly proven?: Proven | undefined
}

export interface Reading {
  readonly identity: EventIdentity
  /** The event's handler. If it throws, the event becomes FAILED and is retried. */
  readonly plan: () => Plan
  /** Set if the effects are not rows: the event is acknowledged as soon as it is stored, then run from the queue. */
  readonly isHandedOver?: true
  /** Why the body cannot be used: the event is stored for its operators and never run. */
  readonly unreadable?: string | undefined
  /** The elements of a batch. */
  readonly items?: readonly BatchItem[] | undefined
}

/** Whether a text can be the name of a source; a store may keep other rows under names that cannot. */
export function isSourceName(text: string): boolean {
  return SOURCE_NAME.test(text)
}

/** The source of what the service says of itself: a name without a secret, which `*` does not mean. */
export const GATEHOUSE = 'gatehouse'

/** A source of events: its name, its signature scheme, and how to read its bodies. */
export interface EventSource {
  /** The first half of an event's identity; never taken from the body. */
  readonly name: string
  readonly scheme: SignatureScheme
  /** How long its provider may retry under the time of the first try, in seconds; absent if every try has its own. */
  readonly lateSeconds?: number | undefined
  /** Headers to store in addition to those stored for every call, in lower case. */
  readonly keptHeaders?: readonly string[]
  /**
   * Pure, so that a retry reads the same from the stored bytes and headers as the intake did.
   * @throws ServiceError `VALIDATION_FAILED` where the sender must learn that a body breaks its schema
   */
  readonly read: (delivery: VerifiedCall) => Reading
}
