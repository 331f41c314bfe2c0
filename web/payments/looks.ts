import type { Response } from '../ask.ts'
import type { Tone } from '../ui/badge.tsx'

export type ListedPayment = Response<'payments'>['payments'][number]
export type ListedOrder = Response<'orders'>['orders'][number]

interface Look {
  readonly label: string
  readonly tone: Tone
  readonly icon?: string
}

export const PAYMENT_LOOKS: Readonly<Record<ListedPayment['status'], Look>> = {
  FAILED: { label: 'Failed', tone: 'bad' },
  COMPLETED: { label: 'Completed', tone: 'ok' },
  REFUNDED: { label: 'Refunded', tone: 'note', icon: 'retry' },
}

export const ORDER_LOOKS: Readonly<Record<ListedOrder['status'], Look>> = {
  PENDING: { label: 'Pending', tone: 'run' },
  CONFIRMED: { label: 'Confirmed', tone: 'ok' },
  SHIPPED: { label: 'Shipped', tone: 'ok' },
  OUT_FOR_DELIVERY: { label: 'Out for delivery', tone: 'ok' },
  DELIVERED: { label: 'Delivered', tone: 'ok' },
  CANCELLED: { label: 'Canceled', tone: 'bad' },
  RETURNED: { label: 'Returned', tone: 'note', icon: 'retry' },
}

/** The exact amount as the webhook had it, with its currency. */
export function amountOf({ amount, currency }: ListedPayment): string {
  return amount === null ? currency : `${amount} ${currency}`
}
