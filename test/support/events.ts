import { createHmac, randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { tokenOf } from './accounts.ts'
import { type Answer, bearer, type Call, call } from './client.ts'
import { served } from './served.ts'

type Json = Readonly<Record<string, unknown>>

/** A payment payload of its own; `amount` and the like may be replaced. */
export function payment(changes: Json = {}): Json {
  const id = randomUUID()
  return {
    eventId: `evt-${id}`,
    transactionId: `tx-${id}`,
    orderId: `order-${id}`,
    status: 'COMPLETED',
    amount: 10.5,
    currency: 'EUR',
    ...changes,
  }
}

export function postJson(body: unknown, headers: Call['headers'] = {}): Call {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }
}

export function postPayment(body: unknown, headers: Call['headers'] = {}): Promise<Answer> {
  return call('/webhooks/payment', postJson(body, headers))
}

/** The generic scheme (webhooks-17), made with nothing of the product. */
export function genericSignature(
  body: string | Buffer,
  timestamp?: number,
  secretName = 'payment',
): Record<string, string> {
  const hmac = createHmac('sha256', served('ready').webhookSecrets[secretName] ?? '')
  if (timestamp === undefined) return { 'x-signature': hmac.update(body).digest('hex') }
  return {
    'x-timestamp': String(timestamp),
    'x-signature': `sha256=${hmac.update(`${timestamp}.`).update(body).digest('hex')}`,
  }
}

/** The detail that an admin sees. */
export async function eventDetail(source: string, eventId: string): Promise<Answer> {
  return call(`/api/webhooks/events/${source}/${encodeURIComponent(eventId)}`, bearer(await tokenOf('admin')))
}

/** The file that an admin gets of its payload. */
export async function eventPayload(source: string, eventId: string): Promise<Answer> {
  const path = `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}/payload`
  return call(path, bearer(await tokenOf('admin')))
}

/**
 * A payment that fails, as it contradicts a stored one, until its retries are used up.
 * @param stored that other one, which is sent first
 * @returns its event id
 */
export async function deadEvent(stored = payment()): Promise<string> {
  await postPayment(stored)
  const eventId = `${stored['eventId']}-other`
  await postPayment({ ...stored, eventId, orderId: 'another-order', status: 'REFUNDED' })
  await untilDead(eventId)
  return eventId
}

export async function untilDead(eventId: string): Promise<void> {
  const isDead = async () => (await eventDetail('payment', eventId)).json.dead
  await vi.waitUntil(isDead, { timeout: 20_000, interval: 200 })
}
