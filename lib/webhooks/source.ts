import type { OrderChange } from '../orders/order.ts'
import type { PaymentChange } from '../payments/payment.ts'
import type { EventIdentity } from './identity.ts'
import type { SignatureScheme, SignedPart } from './schemes/scheme.ts'
import type { VerifiedBody } from './verify.ts'

/** What an event does: at most one change of a payment or an order, and a word on the record when that is not all. */
export interface Plan {
  readonly payment?: PaymentChange
  readonly order?: OrderChange
  readonly outcome?: string
}

/** A call that is who it says it is, and the headers of it that are kept. */
export interface VerifiedCall {
  readonly body: VerifiedBody
  readonly headers: Readonly<Record<string, string>>
  /** What its signature covers; absent where nothing had to be proven, and when a stored event is read again. */
  readonly signed?: (() => readonly SignedPart[]) | undefined
}

export interface Reading {
  readonly identity: EventIdentity
  /** The event's handler. What it throws makes the event FAILED, to be tried again. */
  readonly plan: () => Plan
  /** The effects are not rows: the event is acknowledged as soon as it is stored, then run from the queue. */
  readonly isHandedOver?: true
}

const SOURCE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Whether events may come from a source of that name; a store may keep other things under names that are none. */
export function isSourceName(text: string): boolean {
  return SOURCE_NAME.test(text)
}

/** One place that events come from: its name, how it signs, and what its bodies mean. */
export interface EventSource {
  /** The first half of an event's identity; never a field of the body. */
  readonly name: string
  readonly scheme: SignatureScheme
  /** What is kept of its headers besides those that are kept of every call, in lower case. */
  readonly keptHeaders?: readonly string[]
  /**
   * Pure, so that a retry reads from the stored bytes and headers what the intake read.
   * @throws ServiceError `VALIDATION_FAILED`
   */
  readonly read: (delivery: VerifiedCall) => Reading
}
