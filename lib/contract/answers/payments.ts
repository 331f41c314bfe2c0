import * as z from 'zod'
import { SHOWN_ORDER_STATUSES, SHOWN_PAYMENT_STATUSES } from '../requests/payments.ts'
import { localDateTime, nextCursor } from './shapes.ts'

const cause = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    outcome: z
      .enum(['applied', 'superseded'])
      .describe('`superseded`: it came too late, and only added missing fields.'),
    at: localDateTime.describe('When it was processed.'),
    href: z.string().describe('The path of the event.'),
  })
  .meta({ id: 'Cause', description: 'A webhook event that changed a payment or an order, or came too late.' })

const changed = {
  updatedAt: localDateTime.describe('The time of the last change.'),
  events: z.array(cause).max(20).describe('In the order in which they were processed; the last 10 to 20 of many.'),
}

const id = z
  .string()
  .regex(/^\d{1,19}$/)
  .describe('A 64-bit number as text.')

export const madePayment = z
  .strictObject({
    id,
    transactionId: z.string(),
    orderId: z.string().nullable(),
    customerId: z.string().nullable(),
    status: z.enum(SHOWN_PAYMENT_STATUSES),
    amount: z.string().nullable().describe('The exact decimal, with the digits that were sent: `10.00`.'),
    currency: z.string(),
    ...changed,
  })
  .meta({ id: 'Payment', description: 'A payment transaction and its events.' })

export const paymentPage = z
  .strictObject({ payments: z.array(madePayment).max(200), nextCursor })
  .meta({ id: 'PaymentList' })

export const madeOrder = z
  .strictObject({
    id,
    orderId: z.string(),
    status: z.enum(SHOWN_ORDER_STATUSES),
    trackingNumber: z.string().nullable(),
    carrier: z.string().nullable(),
    estimatedDelivery: z.string().nullable().describe('A day, `YYYY-MM-DD`.'),
    ...changed,
  })
  .meta({ id: 'Order', description: 'An order and its events.' })

export const orderPage = z.strictObject({ orders: z.array(madeOrder).max(200), nextCursor }).meta({ id: 'OrderList' })
