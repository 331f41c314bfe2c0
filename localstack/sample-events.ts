import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { SCHEMES, type SignatureScheme } from '../lib/webhooks/schemes.ts'
import { signatureOf } from '../lib/webhooks/verify.ts'

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
  readonly scheme: SignatureScheme
  /** What can be sent; any other name is sent as it is, to see it acknowledged or refused. */
  readonly events: readonly string[]
  readonly body: (id: string, event: string, now: Date) => object
  readonly signature: (timestamp: string, hex: string) => Readonly<Record<string, string>>
}

/** Every provider that events can be sent for. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  stripe: {
    secret: 'stripe',
    path: '/webhooks/stripe',
    scheme: SCHEMES.stripe,
    events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.refunded'],
    body: stripeEvent,
    signature: (timestamp, hex) => ({ 'stripe-signature': `t=${timestamp},v1=${hex}` }),
  },
  payment: {
    secret: 'payment',
    path: '/webhooks/payment',
    scheme: SCHEMES.generic,
    events: ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED'],
    body: payment,
    signature: (timestamp, hex) => ({ 'x-timestamp': timestamp, 'x-signature': `sha256=${hex}` }),
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
  const hex = signatureOf(secret, { timestamp }, body, provider.scheme)
  const headers = { 'content-type': 'application/json', ...provider.signature(timestamp, hex) }
  return { id, path: provider.path, headers, body }
}
