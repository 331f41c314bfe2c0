import { ORDER_STATUSES } from '../../lib/orders/order.ts'
import { type Occasion, type Proof, type Sender, secondsOf } from './sender.ts'

/** The senders whose events do something here. */

/** The generic scheme, with a time. */
const generic = ({ hex, seconds }: Proof) => ({ headers: { 'x-timestamp': seconds, 'x-signature': `sha256=${hex}` } })

/** In milliseconds. */
const DAY = 86_400_000

export const payment: Sender = {
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

export const orderStatus: Sender = {
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

export const stripe: Sender = {
  events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.refunded'],
  draft: (type, { id, at }) => ({
    body: {
      id: `evt_${id}`,
      object: 'event',
      type,
      created: secondsOf(at),
      data: {
        object: {
          id: `pi_${id}`,
          object: 'payment_intent',
          amount: 1099,
          amount_received: type === 'payment_intent.succeeded' ? 1099 : 0,
          currency: 'eur',
          customer: 'cus_demo',
          metadata: { orderId: `order-${id}` },
        },
      },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'stripe-signature': `t=${seconds},v1=${hex}` } }),
  transaction: { path: 'data.object.id', events: ['payment_intent.succeeded', 'payment_intent.payment_failed'] },
}

/** What GitHub's payloads say of what happened; like GitHub's, no two deliveries are the same. */
const GITHUB_PAYLOADS: Readonly<Record<string, (occasion: Occasion) => object>> = {
  push: ({ id }) => ({
    ref: 'refs/heads/main',
    commits: [{ id, message: 'Say hello' }],
    pusher: { name: 'octocat' },
  }),
  pull_request: ({ id }) => ({
    action: 'opened',
    number: 7,
    pull_request: { title: id, base: { ref: 'main' }, head: { ref: 'feature' } },
  }),
}

export const github: Sender = {
  events: ['push', 'pull_request', 'ping'],
  draft: (event, occasion) => ({
    headers: { 'x-github-event': event, 'x-github-delivery': occasion.id },
    body: {
      ...(Object.hasOwn(GITHUB_PAYLOADS, event) ? GITHUB_PAYLOADS[event]?.(occasion) : { zen: occasion.id }),
      repository: { full_name: 'octocat/hello-world' },
      sender: { login: 'octocat' },
    },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature-256': `sha256=${hex}` } }),
}

/** Whoever has no scheme of its own. */
export const demo: Sender = {
  events: ['greeting.said', 'door.opened'],
  draft: (eventType, { id, at }) => ({
    body: { eventId: `evt-${id}`, eventType, timestamp: at.toISOString(), source: 'demo', text: 'Hello' },
  }),
  prove: generic,
}
