import { isSameAmount } from './amount.ts'

/** A later status with a higher rank replaces the stored one; the order of arrival does not matter. */
export const RANK = { FAILED: 1, COMPLETED: 2, REFUNDED: 3 } as const

export type PaymentStatus = keyof typeof RANK

/** The change of a payment that an event describes. */
export interface PaymentChange {
  readonly transactionId: string
  readonly status: PaymentStatus
  readonly orderId?: string | undefined
  readonly currency: string
  /** Plain decimal text. */
  readonly amount?: string | undefined
  readonly customerId?: string | undefined
}

/** A payment transaction as stored (webhooks-65). */
export type Payment = PaymentChange

/** `advance` sets the new status; `fill` only adds what the stored payment lacks. */
export interface PaymentWrite {
  readonly mode: 'advance' | 'fill'
  /** Whether a `fill` adds anything to the stored payment. */
  readonly adds?: boolean | undefined
  readonly change: PaymentChange
}

export type Judgement = 'advances' | 'superseded' | 'mismatch'

/** Compares a change with the stored payment of the same transactionId. */
export function judgePayment(stored: Payment, change: PaymentChange): Judgement {
  const isOther =
    stored.currency !== change.currency ||
    (stored.orderId !== undefined && change.orderId !== undefined && stored.orderId !== change.orderId)
  if (isOther) return 'mismatch'
  return RANK[change.status] > RANK[stored.status] ? 'advances' : 'superseded'
}

/** Whether both have an amount and the two differ. */
export function amountsConflict(stored: Payment, change: PaymentChange): boolean {
  return stored.amount !== undefined && change.amount !== undefined && !isSameAmount(stored.amount, change.amount)
}
