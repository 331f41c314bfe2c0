import { rulesIn, ServiceError } from '../errors.ts'
import { judgeOrder, type Order, type OrderChange, type OrderWrite } from '../orders/order.ts'
import {
  amountsConflict,
  judgePayment,
  type Payment,
  type PaymentChange,
  type PaymentWrite,
} from '../payments/payment.ts'
import type { Log } from '../runtime/log.ts'
import type { EventKey } from './event.ts'
import type { Plan, Reading } from './source.ts'

/** A rule of ours that an event breaks; its message may be shown to the sender. */
export class ProcessingError extends Error {
  override readonly name = 'ProcessingError'
}

/** What is kept and shown of a fault of ours. */
export const UNEXPECTED = 'unexpected error'

/** Enough for a rule in plain words; the item of an event has to hold many of them. */
const MAXIMUM_REASON = 256

/**
 * What to keep and show of a failed event: the rule that was broken, or for a fault of ours no detail.
 * @throws the error itself when it is no failure of the handler: a store that is down uses up no attempt
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) throw error
  return error instanceof ProcessingError ? error.message.slice(0, MAXIMUM_REASON) : UNEXPECTED
}

/**
 * Runs an event's handler.
 * @throws ProcessingError in the place of an error of the catalogue, which would pass for an outage or a bad request:
 * anything that a handler throws fails its event
 */
export function planOf({ plan }: Reading): Plan {
  try {
    return plan()
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new ProcessingError(cause.is('VALIDATION_FAILED') ? rulesIn(cause) : UNEXPECTED, { cause })
  }
}

/** What an event does, ready to be written together with its own row. */
export interface Effects {
  readonly payment?: PaymentWrite | undefined
  readonly order?: OrderWrite | undefined
  readonly outcome?: string | undefined
}

/** The write could not be made because another row stands as `stored`. */
export type Conflict =
  | { readonly kind: 'blocked'; readonly by: 'payment'; readonly stored: Payment }
  | { readonly kind: 'blocked'; readonly by: 'order'; readonly stored: Order }

/** Each round means that somebody else changed the row in between. */
const MAXIMUM_ROUNDS = 5

/**
 * Makes one write of an event and its effects: first as if it were news; when a stored row stands in the way, as
 * superseded, which only fills in what is missing.
 * @throws ProcessingError when the stored payment belongs to another order or currency
 */
export async function applyEffects<T extends { readonly kind: string }>(
  key: EventKey,
  plan: Plan,
  log: Log,
  write: (effects: Effects) => Promise<T | Conflict>,
): Promise<Exclude<T, Conflict>> {
  const news: Effects = {
    outcome: plan.outcome,
    payment: plan.payment && { mode: 'advance', change: plan.payment },
    order: plan.order && { mode: 'advance', change: plan.order },
  }
  let effects = news
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    const result = await write(effects)
    if (!isConflict(result)) return result as Exclude<T, Conflict>
    effects = { ...news, ...around(result, plan, key, log) }
  }
  throw new Error('the stored row did not come to rest')
}

function isConflict(result: { readonly kind: string }): result is Conflict {
  return result.kind === 'blocked'
}

/** What is written instead, because of the row that stands in the way. */
function around(blocked: Conflict, { payment, order }: Plan, key: EventKey, log: Log): Effects {
  if (blocked.by === 'payment' && payment) return aroundPayment(blocked.stored, payment, key, log)
  if (blocked.by === 'order' && order) return aroundOrder(blocked.stored, order)
  throw new Error('a write without an effect cannot be blocked')
}

function aroundPayment(stored: Payment, change: PaymentChange, key: EventKey, log: Log): Effects {
  const judgement = judgePayment(stored, change)
  if (judgement === 'mismatch') throw new ProcessingError('transaction belongs to another order or currency')
  if (judgement === 'advances') return {}
  if (amountsConflict(stored, change)) {
    log.warn('payment amount conflict', {
      source: key.source,
      eventId: key.eventId,
      transactionId: change.transactionId,
    })
  }
  return { outcome: 'superseded', payment: { mode: 'fill', change } }
}

function aroundOrder(stored: Order, change: OrderChange): Effects {
  const isSuperseded = judgeOrder(stored, change) === 'superseded'
  return isSuperseded ? { outcome: 'superseded', order: { mode: 'fill', change } } : {}
}
