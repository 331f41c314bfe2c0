import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, call } from '../support/client.ts'
import { genericSignature, postJson } from '../support/events.ts'
import { served } from '../support/served.ts'

export const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

export const secretOf = (provider: string) => served('ready').webhookSecrets[provider] ?? ''

export const hmac = (text: string, secret: string, hash = 'sha256') => createHmac(hash, secret).update(text)

/** The header of provider A, made by the specification's words and with nothing of the product. */
export function signatureA(payload: string, timestamp = secondsFromNow(0), secret = secretOf('stripe')): string {
  return `t=${timestamp},v1=${hmac(`${timestamp}.${payload}`, secret).digest('hex')}`
}

/** An event of provider A that nobody has sent before; as text, with white space that a parser would lose. */
export function eventA(type = 'payment_intent.succeeded'): string {
  const id = crypto.randomUUID()
  const object = { id: `pi_${id}`, amount: 1099, currency: 'eur' }
  return JSON.stringify({ id: `evt_${id}`, type, data: { object } }, null, 2)
}

export function postA(payload: string, signature: string | undefined): Promise<Answer> {
  const headers = signature === undefined ? {} : { 'stripe-signature': signature }
  return call('/webhooks/stripe', postJson(payload, headers))
}

export function expectTextA({ status, text, headers }: Answer, expected: 'accepted' | 'refused', what = ''): void {
  const answer = { accepted: [200, 'Webhook received'], refused: [400, 'Invalid signature'] }[expected]
  expect([status, text], what).toEqual(answer)
  expect(headers['content-type'], what).toMatch(/^text\/plain\b/)
}

/** The header of provider B, as GitHub describes it. */
export function signatureB(payload: string, secret = secretOf('github')): string {
  return `sha256=${hmac(payload, secret).digest('hex')}`
}

/** An event of provider B of which there is only one. */
export function eventB(): string {
  const [base, head] = [{ ref: 'main' }, { ref: crypto.randomUUID() }]
  return JSON.stringify({ ref: 'refs/heads/main', action: 'opened', number: 7, pull_request: { base, head } }, null, 2)
}

export function postB(payload: string, signature: string | undefined, name = 'push', delivery = ''): Promise<Answer> {
  const headers = { 'x-github-event': name, 'x-github-delivery': delivery }
  const proof = signature === undefined ? {} : { 'x-hub-signature-256': signature }
  return call('/webhooks/github', postJson(payload, { ...headers, ...proof }))
}

export function expectTextB({ status, text, headers }: Answer, expected: 'accepted' | 'refused', what = ''): void {
  const answer = { accepted: [200, 'Webhook received'], refused: [401, 'Invalid signature'] }[expected]
  expect([status, text], what).toEqual(answer)
  expect(headers['content-type'], what).toMatch(/^text\/plain\b/)
  expect(headers['www-authenticate'], what).toBeUndefined()
}

/** The text of an order update that nobody has sent before. */
export function orderStatus(changes: object = {}): string {
  const id = crypto.randomUUID()
  return JSON.stringify({ eventId: `evt-${id}`, orderId: `order-${id}`, status: 'SHIPPED', ...changes })
}

export function postOrder(body: string, headers = genericSignature(body, undefined, 'order-status')): Promise<Answer> {
  return call('/webhooks/order-status', postJson(body, headers))
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

/** The whole answer of a webhook in JSON (webhooks-37). */
export function expectResponse({ status, json, headers }: Answer, expected: number, message: string): void {
  const timestamp = expect.stringMatching(LOCAL_TIME)
  expect([status, json]).toEqual([expected, { success: expected === 200, message, timestamp }])
  expect(headers['www-authenticate']).toBeUndefined()
}

export const PROCESSED = 'Webhook processed successfully'
export const DUPLICATE = 'Duplicate event ignored'
export const BAD_SIGNATURE = 'Invalid signature'
export const REPLAY = 'Timestamp outside the allowed window'
