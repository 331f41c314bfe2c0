import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { describe, expect, inject, it } from 'vitest'
import { call } from '../support/client.ts'
import { eventDetail, payment, postJson, postPayment } from '../support/events.ts'

const stripe = new Stripe('sk_test_none')

interface Signing {
  readonly secret?: string
  readonly ageSeconds?: number
}

/** A Stripe-Signature made by Stripe's own library. */
function signature(payload: string, { secret, ageSeconds = 0 }: Signing = {}): string {
  return stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? inject('ready').webhookSecrets['stripe'] ?? '',
    timestamp: Math.floor(Date.now() / 1000) - ageSeconds,
  })
}

function stripeEvent(type: string, object: object = {}) {
  const id = randomUUID()
  const intent = { id: `pi_${id}`, amount: 1099, amount_received: 1099, currency: 'eur', ...object }
  return { id: `evt_${id}`, object: 'event', type, data: { object: intent } }
}

function post(payload: string, header: string | undefined) {
  return call('/webhooks/stripe', postJson(payload, header === undefined ? {} : { 'stripe-signature': header }))
}

describe('POST /webhooks/stripe answers 200 with a plain-text acknowledgement', () => {
  it.each([
    ['payment_intent.succeeded', null],
    ['customer.created', 'no action'],
  ])('%s signed by the stripe library is stored and processed once', async (type, outcome) => {
    const event = stripeEvent(type)
    const payload = JSON.stringify(event, null, 2)
    for (const _ of [1, 2]) {
      const { status, text, headers } = await post(payload, signature(payload))
      expect(status).toBe(200)
      expect(text).toBe('Webhook received')
      expect(headers['content-type']).toContain('text/plain')
    }
    const { json } = await eventDetail('stripe', event.id)
    expect(json).toMatchObject({ eventType: type, status: 'PROCESSED', outcome, payload })
    expect(json.history).toHaveLength(1)
  })
})

describe('W09 an event id is unique within its source', () => {
  it('the same id from another source is another event, and both are processed', async () => {
    const event = stripeEvent('customer.created')
    const payload = JSON.stringify(event)
    expect((await postPayment(payment({ eventId: event.id }))).json.message).toBe('Webhook processed successfully')
    expect((await post(payload, signature(payload))).status).toBe(200)
    for (const source of ['payment', 'stripe']) {
      expect((await eventDetail(source, event.id)).json).toMatchObject({ source, status: 'PROCESSED' })
    }
  })
})

describe('POST /webhooks/stripe answers 400 with a plain-text message when verification fails', () => {
  const payload = JSON.stringify(stripeEvent('payment_intent.succeeded'))

  it.each([
    ['no header', () => undefined],
    ['another secret', () => signature(payload, { secret: 'whsec_other' })],
    ['older than 300 seconds', () => signature(payload, { ageSeconds: 302 })],
  ])('%s', async (_, header) => {
    const { status, text } = await post(payload, header())
    expect(status).toBe(400)
    expect(text).toBe('Invalid signature')
    expect((await eventDetail('stripe', JSON.parse(payload).id)).status).toBe(404)
  })

  it('not a signed body that is not JSON, which is stored', async () => {
    const { status, text } = await post('hello', signature('hello'))
    expect([status, text]).toEqual([200, 'Webhook received'])
  })
})
