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
function sign(body: string | Buffer, timestamp?: number): Record<string, string> {
  return genericSignature(body, timestamp, 'order-status')
}

function postUnsigned(body: string | Buffer, headers: Call['headers']): Promise<Answer> {
  return call('/webhooks/order-status', postJson(body, headers))
}

function post(payload: Json | string | Buffer): Promise<Answer> {
  const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
  return postUnsigned(body, sign(body))
}

const storedOrder = (id: unknown) => storedRow('orders', { orderId: String(id) })

describe('POST /webhooks/order-status answers 200 with the webhook response and updates the order', () => {
  it.each(['PENDING', 'CONFIRMED', 'SHIPPED', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'RETURNED'])(
    '%s is stored as ORDER_STATUS, and the order has it',
    async (status) => {
      const body = order({ status, trackingNumber: '1Z', carrier: 'UPS 📦', estimatedDelivery: '2026-02-28' })
      const { status: code, json } = await post(body)
      expect(code).toBe(200)
      expect(json).toMatchObject(SUCCESS)
      const { json: event } = await eventDetail('order-status', String(body['eventId']))
      expect(event).toMatchObject({
        source: 'order-status',
        eventType: 'ORDER_STATUS',
        status: 'PROCESSED',
        outcome: null,
        payload: JSON.stringify(body),
      })
      expect(await storedOrder(body['orderId'])).toMatchObject({
        id: expect.anything(),
        orderId: body['orderId'],
        status,
        trackingNumber: '1Z',
        carrier: 'UPS 📦',
        estimatedDelivery: '2026-02-28',
      })
    },
  )

  it('a known event id: nothing is processed and the response is success', async () => {
    const body = order()
    await post(body)
    expect((await post({ ...body, status: 'DELIVERED' })).json).toMatchObject(DUPLICATE)
    expect(await storedOrder(body['orderId'])).toMatchObject({ status: 'SHIPPED' })
  })

  it.each([undefined, '', null])('without an eventId (%j) the same bytes are the same event', async (eventId) => {
    const body = order({ eventId })
    expect((await post(body)).json).toMatchObject(SUCCESS)
    expect((await post(body)).json).toMatchObject(DUPLICATE)
  })

  it('unknown properties are ignored, __proto__ among them', async () => {
    const body = JSON.stringify(order({ more: [1] })).replace('{', '{"__proto__":{"status":"LOST"},"constructor":1,')
    expect((await post(body)).json).toMatchObject(SUCCESS)
  })
})

describe('W29 a timestamp older than the stored one does not move the order back', () => {
  it('the event is PROCESSED with outcome superseded, and adds only missing values', async () => {
    const delivered = order({ status: 'DELIVERED', carrier: 'UPS', timestamp: '2026-01-02T10:00:00.000002' })
    const late = {
      ...delivered,
      eventId: `${delivered['eventId']}-late`,
      status: 'SHIPPED',
      carrier: 'DHL',
      trackingNumber: '1Z',
      timestamp: '2026-01-02T10:00:00.000001',
    }
    await post(delivered)
    expect((await post(late)).json).toMatchObject(SUCCESS)
    expect((await eventDetail('order-status', late.eventId)).json).toMatchObject({
      status: 'PROCESSED',
      outcome: 'superseded',
    })
    expect(await storedOrder(delivered['orderId'])).toMatchObject({
      status: 'DELIVERED',
      carrier: 'UPS',
      trackingNumber: '1Z',
      timestamp: '2026-01-02T10:00:00.000002000',
    })
  })

  it.each([
    ['a newer one', '2026-01-02T10:00:01', '2026-01-02T10:00:01.000000000'],
    ['the same', '2026-01-02T10:00', '2026-01-02T10:00:00.000000000'],
    ['none, and the stored timestamp stays', undefined, '2026-01-02T10:00:00.000000000'],
  ])('the order of arrival decides with %s', async (_, timestamp, stored) => {
    const first = order({ timestamp: '2026-01-02T10:00:00Z' })
    await post(first)
    await post({ ...first, eventId: randomUUID(), status: 'RETURNED', timestamp })
    expect(await storedOrder(first['orderId'])).toMatchObject({ status: 'RETURNED', timestamp: stored })
  })

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
  it.each([
    ['over the body', (body: string) => sign(body)],
    ['over the body, after sha256=', (body: string) => ({ 'x-signature': `sha256=${sign(body)['x-signature']}` })],
    ['over timestamp and body', (body: string) => sign(body, now())],
    ['299 seconds old', (body: string) => sign(body, now() - 299)],
  ])('%s: accepted', async (_, headersOf) => {
    const body = JSON.stringify(order())
    expect((await postUnsigned(body, headersOf(body))).json).toMatchObject(SUCCESS)
  })

  it.each([
    ['a missing header', () => ({})],
    ['an empty header', () => ({ 'x-signature': '' })],
    ['a wrong signature', () => ({ 'x-signature': '0'.repeat(64) })],
    ['a signature of another body', () => sign('{}')],
    ['the secret of payment', (body: string) => genericSignature(body)],
    ['upper case', (body: string) => ({ 'x-signature': sign(body)['x-signature']?.toUpperCase() ?? '' })],
    ['a signature cut short', (body: string) => ({ 'x-signature': sign(body)['x-signature']?.slice(1) ?? '' })],
    ['a timestamp that was not signed', (body: string) => ({ ...sign(body), 'x-timestamp': String(now()) })],
    ['a changed timestamp', (body: string) => ({ ...sign(body, now()), 'x-timestamp': String(now() - 9) })],
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

  it('every single byte of the body is signed', async () => {
    const body = JSON.stringify(order())
    for (const tampered of [`${body} `, body.replace('SHIPPED', 'PENDING'), body.replace(':', ': ')]) {
      expect((await postUnsigned(tampered, sign(body))).status).toBe(401)
    }
  })

  it.each([-302, 302])('%d seconds away: 400 as a replay', async (seconds) => {
    const body = JSON.stringify(order())
    const { status, json } = await postUnsigned(body, sign(body, now() + seconds))
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, message: 'Timestamp outside the allowed window' })
  })
})

describe('an invalid order-status payload gets 400 and is not stored', () => {
  const STATUS = 'status must be one of PENDING, CONFIRMED, SHIPPED, OUT_FOR_DELIVERY, DELIVERED, CANCELLED, RETURNED'

  it.each<[string, Json | string | Buffer, string]>([
    ['broken JSON', '{"orderId":', 'body must be JSON'],
    ['an empty body', '', 'body must be JSON'],
    ['a list', '[]', 'body must be a JSON object'],
    ['no orderId', order({ orderId: undefined }), 'orderId is required'],
    ['no status', order({ status: undefined }), STATUS],
    ['an unknown status', order({ status: 'LOST' }), STATUS],
    [
      'a day that is in no calendar',
      order({ estimatedDelivery: '2026-02-30' }),
      'estimatedDelivery must be a date, YYYY-MM-DD',
    ],
    [
      'a date with a time',
      order({ estimatedDelivery: '2026-02-03T00:00' }),
      'estimatedDelivery must be a date, YYYY-MM-DD',
    ],
    ['two errors, sorted', order({ status: 'LOST', carrier: 7 }), `carrier must be a text; ${STATUS}`],
  ])('%s', async (_, body, message) => {
    const { status, json } = await post(body)
    expect(json).toMatchObject({ success: false, message: `Validation failed: ${message}` })
    expect(status).toBe(400)
  })

  it('the signature is verified first', async () => {
    expect((await postUnsigned('{', {})).json).toMatchObject(REFUSED)
  })

  it('the id of a refused body stays free', async () => {
    const body = order({ status: 'LOST' })
    await post(body)
    expect((await post({ ...body, status: 'SHIPPED' })).json).toMatchObject(SUCCESS)
  })
})
