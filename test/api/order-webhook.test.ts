import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Answer, type Call, call } from '../support/client.ts'
import { eventDetail, genericSignature, postJson } from '../support/events.ts'
import { storedRow } from '../support/local-tables.ts'

const SUCCESS = { success: true, message: 'Webhook processed successfully' }
const DUPLICATE = { success: true, message: 'Duplicate event ignored' }
const REFUSED = { success: false, message: 'Invalid signature' }

type Json = Readonly<Record<string, unknown>>

const now = () => Math.floor(Date.now() / 1000)
const orderId = () => `order-${randomUUID()}`

function order(changes: Json = {}): Json {
  return { eventId: `evt-${randomUUID()}`, orderId: orderId(), status: 'SHIPPED', ...changes }
}

/** The generic scheme with the secret of order-status. */
function sign(body: string, timestamp?: number): Record<string, string> {
  return genericSignature(body, timestamp, 'order-status')
}

function postUnsigned(body: string, headers: Call['headers']): Promise<Answer> {
  return call('/webhooks/order-status', postJson(body, headers))
}

function post(payload: Json | string): Promise<Answer> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return postUnsigned(body, sign(body))
}

const storedOrder = (id: unknown) => storedRow('orders', { orderId: String(id) })

describe('POST /webhooks/order-status answers 200 with the webhook response and updates the order', () => {
  it('the event is stored as ORDER_STATUS, and the order has its status; a known event id changes nothing', async () => {
    const parcel = { trackingNumber: '1Z', carrier: 'UPS 📦', estimatedDelivery: '2026-02-28' }
    const body = order({ status: 'OUT_FOR_DELIVERY', ...parcel, more: [1] })
    const { status: code, json } = await post(body)
    expect(code).toBe(200)
    expect(json).toMatchObject(SUCCESS)
    expect((await post({ ...body, status: 'DELIVERED' })).json).toMatchObject(DUPLICATE)
    const { json: event } = await eventDetail('order-status', String(body['eventId']))
    expect(event).toMatchObject({
      source: 'order-status',
      eventType: 'ORDER_STATUS',
      status: 'PROCESSED',
      outcome: null,
      payload: JSON.stringify(body),
    })
    const { orderId, status } = body
    expect(await storedOrder(orderId)).toMatchObject({ id: expect.anything(), orderId, status, ...parcel })
  })
})

describe('W29 a timestamp older than the stored one does not move the order back', () => {
  it('40 parallel events of one order end in the newest', async () => {
    const id = orderId()
    const statuses = ['CONFIRMED', 'SHIPPED', 'DELIVERED', 'RETURNED']
    const events = Array.from({ length: 40 }, (_, index) => {
      const timestamp = `2026-01-02T10:00:${String(index).padStart(2, '0')}`
      return order({ orderId: id, status: statuses[index % 4], timestamp })
    })
    const answers = await Promise.all(events.toReversed().map((event) => post(event)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await storedOrder(id)).toMatchObject({ status: 'RETURNED', timestamp: '2026-01-02T10:00:39.000000000' })
  })
})

describe('POST /webhooks/order-status is always verified with the generic scheme', () => {
  it('over timestamp and body: accepted, and 400 as a replay outside of the window', async () => {
    const body = JSON.stringify(order())
    expect((await postUnsigned(body, sign(body, now() - 299))).json).toMatchObject(SUCCESS)
    const { status, json } = await postUnsigned(body, sign(body, now() - 302))
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, message: 'Timestamp outside the allowed window' })
  })

  it.each([
    ['a missing header', () => ({})],
    ['the secret of payment', (body: string) => genericSignature(body)],
  ])('%s: 401 with success false and Invalid signature, nothing stored', async (_, headersOf) => {
    const body = order()
    const text = JSON.stringify(body)
    const { status, json, headers } = await postUnsigned(text, headersOf(text))
    expect(status).toBe(401)
    expect(json).toMatchObject(REFUSED)
    expect(headers['www-authenticate']).toBeUndefined()
    expect((await eventDetail('order-status', String(body['eventId']))).status).toBe(404)
    expect(await storedOrder(body['orderId'])).toBeUndefined()
  })
})

describe('an invalid order-status payload gets 400 and is not stored', () => {
  const STATUS = 'status must be one of PENDING, CONFIRMED, SHIPPED, OUT_FOR_DELIVERY, DELIVERED, CANCELLED, RETURNED'

  it.each<[string, Json | string, string]>([
    ['broken JSON', '{"orderId":', 'body must be JSON'],
    ['two errors, sorted', order({ status: 'LOST', carrier: 7 }), `carrier must be a text; ${STATUS}`],
  ])('%s', async (_, body, message) => {
    const { status, json } = await post(body)
    expect(json).toMatchObject({ success: false, message: `Validation failed: ${message}` })
    expect(status).toBe(400)
  })
})
