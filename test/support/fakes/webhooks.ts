import { Buffer } from 'node:buffer'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import { generic } from '../../../lib/webhooks/providers/generic.ts'
import type { RetryPolicy } from '../../../lib/webhooks/retry/policy.ts'
import type { EventSource, Plan, VerifiedCall } from '../../../lib/webhooks/source.ts'
import { trustStored, type VerifiedBody } from '../../../lib/webhooks/verify.ts'
import { START } from './clock.ts'

export const MINUTE = 60_000

/** The defaults (retries-13, retries-16, retries-22). */
export const POLICY: RetryPolicy = {
  maxAttempts: 3,
  delays: [5 * MINUTE, 15 * MINUTE, 60 * MINUTE],
  scanInterval: 5 * MINUTE,
  lease: MINUTE,
}

export function bodyOf(content: string | Uint8Array | object): VerifiedBody {
  if (content instanceof Uint8Array) return trustStored(Buffer.from(content))
  return trustStored(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
}

export function deliveryOf(content: string | Uint8Array | object): VerifiedCall {
  return { body: bodyOf(content), headers: { 'content-type': 'application/json' } }
}

/** A whole payment payload (webhooks-30). */
export const PAYMENT = {
  eventId: 'event-1',
  eventType: 'payment',
  timestamp: '2026-01-02T03:04:05',
  source: 'shop',
  transactionId: 'transaction-1',
  orderId: 'order-1',
  status: 'COMPLETED',
  amount: 10.5,
  currency: 'EUR',
  customerId: 'customer-1',
}

const DAY = 86_400

/** An event with an id that is signed, and one with an id that is not, which no other event has. */
const USUAL = { eventType: 'TEST', typeSigned: true, horizonSeconds: DAY } as const
export const SIGNED = { ...USUAL, rule: 'signed-id', idSigned: true } as const
const UNSIGNED = { ...USUAL, rule: 'id+body', repeats: 'drop', idSigned: false } as const

/** A source whose handler does as the test says; its bodies are event ids. */
export function sourceOf(plan: () => Plan, name = 'test'): EventSource {
  return {
    name,
    scheme: generic,
    read: ({ body }) => ({ identity: { ...SIGNED, eventId: body.toString() }, plan }),
  }
}

/** The same for work that is handed over, with ids that nobody signs. */
export function handedOverSource(plan: () => Plan, name = 'test'): EventSource {
  return {
    name,
    scheme: generic,
    read: ({ headers }) => ({
      identity: { ...UNSIGNED, eventId: headers['x-id'] },
      plan,
      isHandedOver: true,
    }),
  }
}

/** An event that failed at its intake and waits for its first retry. */
export function failedEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return {
    id: 7n,
    source: 'test',
    eventId: 'event-1',
    eventType: 'TEST',
    status: 'FAILED',
    receivedAt: START,
    attempts: 0,
    nextRetryAt: new Date(START.getTime() + 5 * MINUTE),
    dead: false,
    errorMessage: 'unexpected error',
    payload: Buffer.from('event-1'),
    payloadSha256: '00'.repeat(32),
    proof: { level: 'none', typeSigned: false, idSigned: false },
    headers: {},
    history: [{ at: START, status: 'FAILED', by: 'intake', error: 'unexpected error' }],
    ...changes,
  }
}
