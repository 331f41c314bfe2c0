import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import type { Proven } from '../../lib/webhooks/verify.ts'
import { START } from '../support/fakes/clock.ts'
import type { EventSpec } from './event-spec.ts'
import { bodyOf, ID_HEADER, signsTime } from './sources.ts'

/** One call of a sender. */
export interface Delivery {
  readonly name: string
  readonly spec: EventSpec
  /** What the sender calls the event this time. */
  readonly eventId: string
  readonly call: VerifiedCall
  /** By the clock of the process that takes it in. */
  readonly receivedAt: Date
  /** Signed longer ago than senders are given. */
  readonly isLate: boolean
}

/** Tells the judge which delivery it is; the code under test makes nothing of it. */
export const NAME_HEADER = 'x-delivery'

/** How long after it was signed a call is late, in milliseconds. */
const TOLERANCE = 300_000

export interface Sending extends Pick<Delivery, 'name' | 'spec' | 'eventId' | 'receivedAt'> {
  readonly isRepeated: boolean
}

/** A call with what its verification has proven. */
export function deliveryOf({ isRepeated, ...sending }: Sending): Delivery {
  const { name, spec, eventId, receivedAt } = sending
  const signedAt = signsTime(spec.source) ? new Date(START.getTime() + spec.sentAt) : undefined
  const isLate = signedAt !== undefined && receivedAt.getTime() - signedAt.getTime() > TOLERANCE
  const body = bodyOf(spec, isRepeated)
  const headers = { [ID_HEADER]: eventId, [NAME_HEADER]: name }
  const proven: Proven = { covers: 'body', signedAt, ...(isLate && { stale: true }), signed: () => [body] }
  return { ...sending, call: { body, headers, proven }, isLate }
}
