import * as z from 'zod/mini'
import { oneOf, wholeNumber } from './bounds.ts'
import { cursor, PAGE } from './event-filter.ts'
import { closed, shortText } from './text.ts'

/** The statuses of payments as they are stored. */
export const SHOWN_PAYMENT_STATUSES = ['COMPLETED', 'FAILED', 'REFUNDED'] as const

/** The statuses of orders. */
export const SHOWN_ORDER_STATUSES = [
  'PENDING',
  'CONFIRMED',
  'SHIPPED',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'RETURNED',
] as const

const page = {
  limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
  cursor: z.optional(cursor),
}

export const paymentQuery = z.strictObject(
  {
    transactionId: z.optional(shortText),
    status: z.optional(oneOf(SHOWN_PAYMENT_STATUSES)),
    orderId: z.optional(shortText),
    customerId: z.optional(shortText),
    ...page,
  },
  { error: closed },
)

export const orderQuery = z.strictObject(
  { orderId: z.optional(shortText), status: z.optional(oneOf(SHOWN_ORDER_STATUSES)), ...page },
  { error: closed },
)
