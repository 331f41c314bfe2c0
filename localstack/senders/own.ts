import { ORDER_STATUSES } from '../../lib/orders/order.ts'
import type { ProofTexts, Sample } from '../../lib/webhooks/sample.ts'

/** The webhooks of our own endpoints, which have the generic scheme. */

const generic = ({ hex, seconds }: ProofTexts) => ({
  headers: { 'x-timestamp': seconds, 'x-signature': `sha256=${hex}` },
})

/** In milliseconds. */
const DAY = 86_400_000

export const payment: Sample = {
  events: ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED'],
  draft: (status, { id, at }) => ({
    body: {
      eventId: `pay-${id}`,
      eventType: 'payment',
      timestamp: at.toISOString(),
      transactionId: `tx-${id}`,
      orderId: `order-${id}`,
      status,
      amount: '10.99',
      currency: 'EUR',
    },
  }),
  prove: generic,
  transaction: { path: 'transactionId', events: ['COMPLETED', 'FAILED', 'REFUNDED'] },
}

export const orderStatus: Sample = {
  events: ORDER_STATUSES,
  draft: (status, { id, at }) => ({
    body: {
      eventId: `ord-${id}`,
      eventType: 'order',
      timestamp: at.toISOString(),
      orderId: `order-${id}`,
      status,
      trackingNumber: '1Z999AA10123456784',
      carrier: 'UPS',
      estimatedDelivery: new Date(at.getTime() + 3 * DAY).toISOString().slice(0, 10),
    },
  }),
  prove: generic,
}
