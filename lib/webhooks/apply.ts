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

/** An event violates a business rule of this service. The sender may see the message. */
export class ProcessingError extends Error {
  override readonly name = 'ProcessingError'
}

/** The stored and shown reason of a failure that is a bug of this service. */
export const UNEXPECTED = 'unexpected error'

/** Maximum length of a reason: enough for a rule in plain words, short enough for an event's item to hold many. */
const MAXIMUM_REASON = 256

/**
 * The reason to store and show for a failed event: the broken rule, or no detail for a bug of ours.
 * @throws the error itself if the handler did not cause it: an unavailable store uses up no attempt
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) throw error
  return error instanceof ProcessingError ? error.message.slice(0, MAXIMUM_REASON) : UNEXPECTED
}

/**
 * Runs an event's handler. Anything that the handler throws fails its event.
 * @throws ProcessingError in place of a ServiceError, which callers would take for an outage or a bad request, and for an
 * event that nobody can read
 */
export function planOf({ plan, unreadable }: Reading): Plan {
  if (unreadable !== undefined) throw new ProcessingError(unreadable)
  try {
    return plan()
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new ProcessingError(cause.is('VALIDATION_FAILED') ? rulesIn(cause) : UNEXPECTED, { cause })
  }
}

/** The effects of an event, ready to be written together with its row. */
export interface Effects {
  readonly payment?: PaymentWrite | undefined
  readonly order?: OrderWrite | undefined
  readonly outcome?: string | undefined
}

/** A stored row blocked the write; `stored` is that row. */
export type Conflict =
  | { readonly kind: 'blocked'; readonly by: 'payment'; readonly stored: Payment }
  | { readonly kind: 'blocked'; readonly by: 'order'; readonly stored: Order }

/** Maximum number of tries; each further try means that another writer changed the row in between. */
const MAXIMUM_ROUNDS = 5

/**
 * Writes an event and its effects in one write. The first try treats the effects as new. If a stored row blocks it and
 * supersedes them, the next try only fills in what that row lacks.
 * @throws ProcessingError when the stored payment belongs to another order or currency
 */
export async function applyEffects<T extends { readonly kind: string }>(
  key: EventKey,
  plan: Plan,
  log: Log,
  write: (effects: Effects) => Promise<T | Conflict>,
): Promise<Exclude<T, Conflict>> {
  const asNew: Effects = {
    outcome: plan.outcome,
    payment: plan.payment && { mode: 'advance', change: plan.payment },
    order: plan.order && { mode: 'advance', change: plan.order },
  }
  let effects = asNew
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    const result = await write(effects)
    if (!isConflict(result)) return result as Exclude<T, Conflict>
    effects = { ...asNew, ...afterConflict(result, plan, key, log) }
  }
  throw new Error('the stored row did not come to rest')
}

function isConflict(result: { readonly kind: string }): result is Conflict {
  return result.kind === 'blocked'
}

/** The effects to write instead, given the row that blocked the write. */
function afterConflict(blocked: Conflict, { payment, order }: Plan, key: EventKey, log: Log): Effects {
  if (blocked.by === 'payment' && payment) return afterPaymentConflict(blocked.stored, payment, key, log)
  if (blocked.by === 'order' && order) return afterOrderConflict(blocked.stored, order)
  throw new Error('a write without an effect cannot be blocked')
}

function afterPaymentConflict(stored: Payment, change: PaymentChange, key: EventKey, log: Log): Effects {
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
  return { outcome: 'superseded', payment: { mode: 'fill', change, ...addsTo(stored, change) } }
}

function afterOrderConflict(stored: Order, change: OrderChange): Effects {
  const isSuperseded = judgeOrder(stored, change) === 'superseded'
  return isSuperseded ? { outcome: 'superseded', order: { mode: 'fill', change, ...addsTo(stored, change) } } : {}
}

function addsTo<R extends object>(stored: R, change: R): { readonly adds?: true } {
  const known = new Map(Object.entries(stored))
  const isAddition = Object.entries(change).some(
    ([name, value]) => value !== undefined && known.get(name) === undefined,
  )
  return isAddition ? { adds: true } : {}
}
