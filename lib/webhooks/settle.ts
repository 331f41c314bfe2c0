import { ServiceError } from '../errors.ts'
import { amountsConflict, judge, type Payment, type PaymentWrite } from '../payments/payment.ts'
import type { Log } from '../platform/log.ts'
import type { EventKey } from './event.ts'
import type { Plan } from './source.ts'

/** A rule of ours that an event breaks; its message may be shown to the sender. */
export class ProcessingError extends Error {
  override readonly name = 'ProcessingError'
}

/** What is kept and shown of a fault of ours. */
export const UNEXPECTED = 'unexpected error'

/** Enough for a rule in plain words; the item of an event has to hold many of them. */
const MAXIMUM_REASON = 256

/**
 * What to keep and show of whatever a handler threw: the rule that was broken, or for a fault of ours no detail.
 * @throws the error itself when it is no failure of the handler: a store that is down uses up no attempt
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) throw error
  return error instanceof ProcessingError ? error.message.slice(0, MAXIMUM_REASON) : UNEXPECTED
}

/** What an event does, ready to be written together with its own row. */
export interface Effects {
  readonly payment?: PaymentWrite | undefined
  readonly outcome?: string | undefined
}

/** The write could not be made because another row stands as `stored`. */
export interface Blocked {
  readonly kind: 'blocked'
  readonly by: 'payment'
  readonly stored: Payment
}

/** Each round means that somebody else changed the row in between. */
const MAXIMUM_ROUNDS = 5

/**
 * Makes one write of an event and its effects: first as if it were news; when the stored payment stands in the way,
 * as superseded, which only fills in what is missing.
 * @throws ProcessingError when the stored payment belongs to another order or currency
 */
export async function settle<T extends { readonly kind: string }>(
  key: EventKey,
  { payment: change, outcome }: Plan,
  log: Log,
  write: (effects: Effects) => Promise<T | Blocked>,
): Promise<Exclude<T, Blocked>> {
  let effects: Effects = { outcome, payment: change && { mode: 'advance', change } }
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    const result = await write(effects)
    if (!isBlocked(result)) return result as Exclude<T, Blocked>
    effects = superseded(key, result.stored, effects, log)
  }
  throw new Error('the payment did not come to rest')
}

function isBlocked(result: { readonly kind: string }): result is Blocked {
  return result.kind === 'blocked'
}

function superseded(key: EventKey, stored: Payment, { payment }: Effects, log: Log): Effects {
  if (!payment) throw new Error('a write without an effect cannot be blocked')
  const { change } = payment
  const judgement = judge(stored, change)
  if (judgement === 'mismatch') throw new ProcessingError('transaction belongs to another order or currency')
  if (judgement === 'advances') return { payment: { mode: 'advance', change } }
  if (amountsConflict(stored, change)) {
    log.warn('payment amount conflict', {
      source: key.source,
      eventId: key.eventId,
      transactionId: change.transactionId,
    })
  }
  return { outcome: 'superseded', payment: { mode: 'fill', change } }
}
