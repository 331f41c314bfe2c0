import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventDetail, eventPayload, genericSignature, payment, postPayment } from '../support/events.ts'

const SUCCESS = { success: true, message: 'Webhook processed successfully' }
const DUPLICATE = { success: true, message: 'Duplicate event ignored' }

describe('POST /webhooks/payment stores a new event as PAYMENT and handles it by status', () => {
  it('ends in PROCESSED with processedAt set', async () => {
    const body = payment()
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    const { json } = await eventDetail('payment', String(body['eventId']))
    expect(json).toMatchObject({
      source: 'payment',
      eventType: 'PAYMENT',
      status: 'PROCESSED',
      attempts: 0,
      nextRetryAt: null,
      dead: false,
      errorMessage: null,
      outcome: null,
      payload: JSON.stringify(body),
      payloadEncoding: 'utf8',
      history: [{ status: 'PROCESSED', by: 'intake', error: null }],
    })
    expect(json.processedAt).not.toBeNull()
  })

  it('W29 a late status is PROCESSED with outcome superseded, and one that is only logged with no action', async () => {
    const refunded = payment({ status: 'REFUNDED' })
    await postPayment(refunded)
    for (const [status, outcome] of [
      ['COMPLETED', 'superseded'],
      ['PENDING', 'no action'],
    ]) {
      const late = { ...refunded, eventId: `${refunded['eventId']}-${status}`, status }
      expect((await postPayment(late)).json).toMatchObject(SUCCESS)
      expect((await eventDetail('payment', late.eventId)).json).toMatchObject({ status: 'PROCESSED', outcome })
    }
  })
})

describe('when an event with the same eventId is already stored, nothing is processed and the response is success', () => {
  it('W09 another body under the same id: the first wins', async () => {
    const body = payment()
    await postPayment(body)
    expect((await postPayment({ ...body, amount: 99 })).json).toMatchObject(DUPLICATE)
    expect((await eventDetail('payment', String(body['eventId']))).json.payload).toBe(JSON.stringify(body))
  })
})

describe('a webhook body that fails validation gets 400 and is not stored', () => {
  it.each([
    ['broken JSON', '{"eventId":', 'body must be JSON'],
    [
      'two errors, sorted',
      payment({ status: 'DONE', currency: undefined }),
      'currency is required; status must be one of COMPLETED, FAILED, REFUNDED, PENDING, PROCESSING, CANCELLED',
    ],
  ])('%s', async (_, body, message) => {
    const { status, json } = await postPayment(body)
    expect(json).toMatchObject({ success: false, message: `Validation failed: ${message}` })
    expect(status).toBe(400)
  })
})

describe('W10 an event id is stored unchanged, replaced by a hash of the bytes, or refused', () => {
  it('__proto__ is an id like any other', async () => {
    const id = '__proto__'
    const body = payment({ eventId: id })
    expect((await postPayment(body)).json.success).toBe(true)
    expect((await postPayment({ ...body, amount: 2 })).json).toMatchObject(DUPLICATE)
    expect((await eventDetail('payment', id)).json.eventId).toBe(id)
  })

  it('none: the event is found under the hash of its bytes, and the same bytes are the same event', async () => {
    const body = JSON.stringify(payment({ eventId: undefined }))
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    expect((await postPayment(body)).json).toMatchObject(DUPLICATE)
    const id = `h:${createHash('sha256').update(body).digest('hex').slice(0, 32)}`
    expect((await eventDetail('payment', id)).json.payload).toBe(body)
  })

  it('3,000 characters are 400', async () => {
    expect((await postPayment(payment({ eventId: 'x'.repeat(3000) }))).status).toBe(400)
  })
})

describe('an X-Signature on /webhooks/payment is verified whenever it is sent', () => {
  const now = () => Math.floor(Date.now() / 1000)

  it.each([
    ['wrong', () => ({ 'x-signature': '0'.repeat(64) })],
    ['empty', () => ({ 'x-signature': '' })],
  ])('%s: 401 Invalid signature, nothing stored', async (_, sign) => {
    const body = payment()
    const { status, json, headers } = await postPayment(body, sign())
    expect(status).toBe(401)
    expect(json).toMatchObject({ success: false, message: 'Invalid signature' })
    expect(headers['www-authenticate']).toBeUndefined()
    expect((await eventDetail('payment', String(body['eventId']))).status).toBe(404)
  })

  it('W12 the same call ten minutes later: 400; with a new signature it is still a duplicate', async () => {
    const body = JSON.stringify(payment())
    expect((await postPayment(body, genericSignature(body, now()))).json).toMatchObject(SUCCESS)
    const { status, json } = await postPayment(body, genericSignature(body, now() - 600))
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, message: 'Timestamp outside the allowed window' })
    expect((await postPayment(body, genericSignature(body))).json).toMatchObject(DUPLICATE)
  })
})

it('Q09 W31 4 MiB of incompressible bytes are stored as they came, and one byte more gets 413', async () => {
  const body = payment()
  const start = `${JSON.stringify(body).slice(0, -1)},"blob":"`
  const blob = randomBytes(4_194_304)
    .toString('base64')
    .slice(0, 4_194_304 - start.length - 2)
  const { status, json: refused } = await postPayment(`${start}${blob}A"}`)
  expect([status, refused]).toMatchObject([413, { success: false, message: 'Payload too large' }])
  expect((await eventDetail('payment', String(body['eventId']))).status).toBe(404)
  expect((await postPayment(`${start}${blob}"}`)).status).toBe(200)
  expect((await postPayment(`${start}${blob}"}`)).json).toMatchObject({ message: 'Duplicate event ignored' })
  const { json } = await eventDetail('payment', String(body['eventId']))
  expect(json.payload === `${start}${blob}`.slice(0, 262_144)).toBe(true)
  expect(json.payloadTruncated).toBe(true)
  expect(json.payloadBytes).toBeGreaterThan(262_144)
  expect((await eventPayload('payment', String(body['eventId']))).text === `${start}${blob}"}`).toBe(true)
})

it('a webhook with a content coding: 415', async () => {
  const { status, json, headers } = await postPayment(payment(), { 'content-encoding': 'gzip' })
  expect(status).toBe(415)
  expect(json).toMatchObject({ success: false, message: 'Content coding is not supported' })
  expect(headers['accept-encoding']).toBe('identity')
})
