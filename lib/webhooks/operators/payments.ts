import { fail } from '../../errors.ts'
import type { Payment } from '../../payments/payment.ts'
import { type Changed, type ChangedRows, changesOf, listChanged } from './changed.ts'

/** A payment and the events that made it. */
export interface MadePayment extends Payment, Changed {}

interface PaymentRequest {
  readonly transactionId?: string | undefined
  readonly status?: string | undefined
  readonly orderId?: string | undefined
  readonly customerId?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE` */
export async function listPayments(payments: ChangedRows<MadePayment>, request: PaymentRequest) {
  const { transactionId: key, limit, cursor, ...filter } = request
  const { rows, nextCursor } = await listChanged(
    (one) => payments.find(one),
    (...given) => payments.page(...given),
    { key, filter, limit, cursor },
    shownPayment,
  )
  return { payments: rows, nextCursor }
}

/** @throws ServiceError `PAYMENT_NOT_FOUND`, `UNAVAILABLE` */
export async function findPayment(payments: Pick<ChangedRows<MadePayment>, 'find'>, transactionId: string) {
  const payment = await payments.find(transactionId)
  if (payment) return shownPayment(payment)
  throw fail('PAYMENT_NOT_FOUND')
}

function shownPayment(payment: MadePayment) {
  return {
    id: payment.id.toString(),
    transactionId: payment.transactionId,
    orderId: payment.orderId ?? null,
    customerId: payment.customerId ?? null,
    status: payment.status,
    amount: payment.amount ?? null,
    currency: payment.currency,
    ...changesOf(payment),
  }
}
