import { isSameAmount } from './amount.ts'

/** A later status with a higher rank replaces the stored one, whatever the order of arrival. */
export const RANK = { FAILED: 1, COMPLETED: 2, REFUNDED: 3 } as const

export type PaymentStatus = keyof typeof RANK

/** What an event says of a payment. */
export interface PaymentChange {
  readonly transactionId: string
  readonly status: PaymentStatus
  readonly orderId?: string | undefined
  readonly currency: string
  /** Plain decimal text. */
  readonly amount?: string | undefined
  readonly customerId?: string | undefined
}

/** A payment transaction as it is stored (spec 2.4). */
export type Payment = PaymentChange

/** `advance` sets the new status; `fill` only adds what the stored payment lacks. */
export interface PaymentWrite {
  readonly mode: 'advance' | 'fill'
  readonly change: PaymentChange
}

export type Judgement = 'advances' | 'superseded' | 'mismatch'

/** How a change stands to the payment that is stored under its transactionId. */
export function judgePayment(stored: Payment, change: PaymentChange): Judgement {
  const isOther =
    stored.currency !== change.currency ||
    (stored.orderId !== undefined && change.orderId !== undefined && stored.orderId !== change.orderId)
  if (isOther) return 'mismatch'
  return RANK[change.status] > RANK[stored.status] ? 'advances' : 'superseded'
}

/** Whether both name an amount and the two differ. */
export function amountsConflict(stored: Payment, change: PaymentChange): boolean {
  return stored.amount !== undefined && change.amount !== undefined && !isSameAmount(stored.amount, change.amount)
}
