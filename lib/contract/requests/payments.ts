import * as z from 'zod/mini'
import { closed, oneOf, page, shortText } from './fields.ts'

/** The statuses of payments as they are stored. */
export const SHOWN_PAYMENT_STATUSES = ['COMPLETED', 'FAILED', 'REFUNDED'] as const

export const paymentQuery = closed({
  transactionId: z.optional(shortText()),
  status: z.optional(oneOf(SHOWN_PAYMENT_STATUSES)),
  orderId: z.optional(shortText()),
  customerId: z.optional(shortText()),
  q: z.optional(shortText()),
  ...page(),
})

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

export const orderQuery = closed({
  orderId: z.optional(shortText()),
  status: z.optional(oneOf(SHOWN_ORDER_STATUSES)),
  q: z.optional(shortText()),
  ...page(),
})
