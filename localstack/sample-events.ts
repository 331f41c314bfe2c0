import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { ORDER_STATUSES } from '../lib/orders/order.ts'
import { macOf } from '../lib/webhooks/schemes/methods.ts'

/** A request as its provider would send it. */
export interface SignedRequest {
  readonly id: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Provider {
  /** The name of its secret. */
  readonly secret: string
  readonly path: string
  /** What is signed before the body. */
  readonly prefix: (timestamp: string) => string
  /** What can be sent; any other name is sent as it is, to see it acknowledged or refused. */
  readonly events: readonly string[]
  readonly body: (id: string, event: string, now: Date) => object
  /** What the provider sends beside the signature. */
  readonly headers?: (id: string, event: string) => Readonly<Record<string, string>>
  readonly signature: (timestamp: string, hex: string) => Readonly<Record<string, string>>
}

/** The generic scheme, with a timestamp. */
const genericSignature = (timestamp: string, hex: string) => ({
  'x-timestamp': timestamp,
  'x-signature': `sha256=${hex}`,
})

/** In milliseconds. */
const DAY = 86_400_000

/** Every provider that events can be sent for. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  stripe: {
    secret: 'stripe',
    path: '/webhooks/stripe',
    prefix: (timestamp) => `${timestamp}.`,
    events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.refunded'],
    body: stripeEvent,
    signature: (timestamp, hex) => ({ 'stripe-signature': `t=${timestamp},v1=${hex}` }),
  },
  github: {
    secret: 'github',
    path: '/webhooks/github',
    prefix: () => '',
    events: ['push', 'pull_request', 'ping'],
    body: githubEvent,
    headers: (id, event) => ({ 'x-github-event': event, 'x-github-delivery': id }),
    signature: (_timestamp, hex) => ({ 'x-hub-signature-256': `sha256=${hex}` }),
  },
  payment: {
    secret: 'payment',
    path: '/webhooks/payment',
    prefix: (timestamp) => `${timestamp}.`,
    events: ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED'],
    body: payment,
    signature: genericSignature,
  },
  'order-status': {
    secret: 'order-status',
    path: '/webhooks/order-status',
    prefix: (timestamp) => `${timestamp}.`,
    events: ORDER_STATUSES,
    body: orderStatus,
    signature: genericSignature,
  },
}

function stripeEvent(id: string, type: string, now: Date): object {
  return {
    id: `evt_${id}`,
    object: 'event',
    type,
    created: Math.floor(now.getTime() / 1000),
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
  }
}

/** What GitHub's payloads say of what happened; like GitHub's, no two deliveries are the same. */
const GITHUB_PAYLOADS: Readonly<Record<string, (id: string) => object>> = {
  push: (id) => ({
    ref: 'refs/heads/main',
    commits: [{ id, message: 'Say hello' }],
    pusher: { name: 'octocat' },
  }),
  pull_request: (id) => ({
    action: 'opened',
    number: 7,
    pull_request: { title: id, base: { ref: 'main' }, head: { ref: 'feature' } },
  }),
}

function githubEvent(id: string, event: string): object {
  const payload = Object.hasOwn(GITHUB_PAYLOADS, event) ? GITHUB_PAYLOADS[event]?.(id) : { zen: id }
  return { ...payload, repository: { full_name: 'octocat/hello-world' }, sender: { login: 'octocat' } }
}

function payment(id: string, status: string, now: Date): object {
  return {
    eventId: `pay-${id}`,
    eventType: 'payment',
    timestamp: now.toISOString(),
    transactionId: `tx-${id}`,
    orderId: `order-${id}`,
    status,
    amount: '10.99',
    currency: 'EUR',
  }
}

function orderStatus(id: string, status: string, now: Date): object {
  return {
    eventId: `ord-${id}`,
    eventType: 'order',
    timestamp: now.toISOString(),
    orderId: `order-${id}`,
    status,
    trackingNumber: '1Z999AA10123456784',
    carrier: 'UPS',
    estimatedDelivery: new Date(now.getTime() + 3 * DAY).toISOString().slice(0, 10),
  }
}

export interface Signing {
  readonly secret: string
  /** When the provider claims to have signed. */
  readonly signedAt: Date
}

/** A new event of a provider, signed over the bytes that will be sent. */
export function sampleEvent(provider: Provider, event: string, { secret, signedAt }: Signing): SignedRequest {
  const id = randomUUID()
  const body = Buffer.from(JSON.stringify(provider.body(id, event, signedAt)))
  const timestamp = String(Math.floor(signedAt.getTime() / 1000))
  const hex = macOf('sha256', secret, [provider.prefix(timestamp), body]).toString('hex')
  const headers = {
    'content-type': 'application/json',
    ...provider.headers?.(id, event),
    ...provider.signature(timestamp, hex),
  }
  return { id, path: provider.path, headers, body }
}
