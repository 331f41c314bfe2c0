import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { eventDetail, eventPayload, genericSignature, payment, postJson, postPayment } from '../support/events.ts'

const SUCCESS = { success: true, message: 'Webhook processed successfully' }
const DUPLICATE = { success: true, message: 'Duplicate event ignored' }

describe('POST /webhooks/payment stores a new event as PAYMENT and handles it by status', () => {
  it.each(['COMPLETED', 'FAILED', 'REFUNDED'])('%s ends in PROCESSED with processedAt set', async (status) => {
    const body = payment({ status })
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

  it.each(['PENDING', 'PROCESSING', 'CANCELLED'])('%s is logged and needs no action', async (status) => {
    const body = payment({ status })
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    const { json } = await eventDetail('payment', String(body['eventId']))
    expect(json).toMatchObject({ status: 'PROCESSED', outcome: 'no action' })
  })

  it('W29 a late status is PROCESSED with outcome superseded', async () => {
    const refunded = payment({ status: 'REFUNDED' })
    const completed = { ...refunded, eventId: `${refunded['eventId']}-2`, status: 'COMPLETED' }
    await postPayment(refunded)
    expect((await postPayment(completed)).json).toMatchObject(SUCCESS)
    expect((await eventDetail('payment', completed.eventId)).json).toMatchObject({
      status: 'PROCESSED',
      outcome: 'superseded',
    })
  })
})

describe('when an event with the same eventId is already stored, nothing is processed and the response is success', () => {
  it('the same body again', async () => {
    const body = payment()
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    expect((await postPayment(body)).json).toMatchObject(DUPLICATE)
  })

  it('W09 another body under the same id: the first wins', async () => {
    const body = payment()
    await postPayment(body)
    expect((await postPayment({ ...body, amount: 99 })).json).toMatchObject(DUPLICATE)
    expect((await eventDetail('payment', String(body['eventId']))).json.payload).toBe(JSON.stringify(body))
  })

  it.each([
    ['no eventId', undefined],
    ['an empty eventId', ''],
    ['a null eventId', null],
  ])('%s: the same bytes are the same event', async (_, eventId) => {
    const body = payment({ eventId })
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    expect((await postPayment(body)).json).toMatchObject(DUPLICATE)
  })

  it('W08 200 parallel posts of one payment: 200 answers with success, one stored event, one effect', async () => {
    const body = payment()
    const answers = await Promise.all(Array.from({ length: 200 }, () => postPayment(body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
    expect(answers.filter(({ json }) => json.message === SUCCESS.message)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.message === DUPLICATE.message)).toHaveLength(199)
    const { json } = await eventDetail('payment', String(body['eventId']))
    expect(json.history).toHaveLength(1)
  })
})

describe('a webhook body that fails validation gets 400 and is not stored', () => {
  const invalid = (message: string) => ({ success: false, message: `Validation failed: ${message}` })
  const IDENTIFIER = 'must be 1 to 256 characters without control characters'
  const AMOUNT = 'must be a decimal number of at least 0.01 with at most 38 digits'

  it.each([
    ['broken JSON', '{"eventId":', 'body must be JSON'],
    ['an empty body', '', 'body must be JSON'],
    ['a list', '[]', 'body must be a JSON object'],
    ['100,000 levels', '['.repeat(100_000), 'body must not be nested deeper than 100'],
    ['101 levels', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'body must not be nested deeper than 100'],
    ['amount 0.009', payment({ amount: 0.009 }), `amount ${AMOUNT}`],
    ['amount 0', payment({ amount: 0 }), `amount ${AMOUNT}`],
    ['amount -1', payment({ amount: -1 }), `amount ${AMOUNT}`],
    ['amount NaN', payment({ amount: 'NaN' }), `amount ${AMOUNT}`],
    ['amount 1e999999', JSON.stringify(payment({ amount: 7 })).replace(':7', ':1e999999'), `amount ${AMOUNT}`],
    ['39 digits', payment({ amount: '1'.repeat(39) }), `amount ${AMOUNT}`],
    ['no transactionId', payment({ transactionId: undefined }), 'transactionId is required'],
    ['no orderId', payment({ orderId: null }), 'orderId is required'],
    ['a blank currency', payment({ currency: '  ' }), 'currency must not be blank'],
    ['an eventId of 3,000 characters', payment({ eventId: 'x'.repeat(3000) }), `eventId ${IDENTIFIER}`],
    ['an eventId with a control character', payment({ eventId: 'a\u0000b' }), `eventId ${IDENTIFIER}`],
    ['an eventId that is a number', payment({ eventId: 7 }), 'eventId must be a text'],
    [
      'a timestamp with an offset',
      payment({ timestamp: '2026-01-01T00:00:00+02:00' }),
      'timestamp must be a local date-time, YYYY-MM-DDTHH:mm:ss',
    ],
    [
      'two errors, sorted',
      payment({ status: 'DONE', currency: undefined }),
      'currency is required; status must be one of COMPLETED, FAILED, REFUNDED, PENDING, PROCESSING, CANCELLED',
    ],
  ])('%s', async (_, body, message) => {
    const { status, json } = await postPayment(body)
    expect(json).toMatchObject(invalid(message))
    expect(status).toBe(400)
  })

  it('the id of a refused body stays free', async () => {
    const body = payment({ amount: 0 })
    await postPayment(body)
    expect((await postPayment({ ...body, amount: 1 })).json).toMatchObject(SUCCESS)
  })
})

describe('W10 an event id is stored unchanged, replaced by a hash of the bytes, or refused', () => {
  it.each(['__proto__', 'constructor', 'toString', '#', 'a#body', ' ', '💶'])(
    '%s is an id like any other',
    async (id) => {
      const body = payment({ eventId: id })
      expect((await postPayment(body)).json.success).toBe(true)
      expect((await postPayment({ ...body, amount: 2 })).json).toMatchObject(DUPLICATE)
      expect((await eventDetail('payment', id)).json.eventId).toBe(id)
    },
  )

  it.each([
    ['none', undefined],
    ['null', null],
    ['an empty text', ''],
  ])('%s: the event is found under the hash of its bytes', async (_, eventId) => {
    const body = JSON.stringify(payment({ eventId }))
    await postPayment(body)
    const id = `h:${createHash('sha256').update(body).digest('hex').slice(0, 32)}`
    expect((await eventDetail('payment', id)).json.payload).toBe(body)
  })

  it.each([7, true, {}, ['a'], 'x'.repeat(257), 'x'.repeat(3000), 'a\u0000b'])('%j is 400', async (eventId) => {
    expect((await postPayment(payment({ eventId }))).status).toBe(400)
  })
})

describe('unknown properties are ignored', () => {
  it('__proto__ and constructor among them', async () => {
    const body = JSON.stringify(payment({ more: [1] })).replace(
      '{',
      '{"__proto__":{"status":"FAILED"},"constructor":1,',
    )
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])('content type %s', async (type) => {
    const request = postJson(payment())
    const headers = type === undefined ? {} : { 'content-type': type }
    expect((await call('/webhooks/payment', { ...request, headers })).json).toMatchObject(SUCCESS)
  })
})

describe('an X-Signature on /webhooks/payment is verified whenever it is sent', () => {
  const now = () => Math.floor(Date.now() / 1000)

  it.each([
    ['over the body', (body: string) => genericSignature(body)],
    ['over timestamp and body', (body: string) => genericSignature(body, now())],
    ['299 seconds old', (body: string) => genericSignature(body, now() - 299)],
  ])('%s: accepted', async (_, sign) => {
    const body = JSON.stringify(payment())
    expect((await postPayment(body, sign(body))).json).toMatchObject(SUCCESS)
  })

  it.each([
    ['wrong', () => ({ 'x-signature': '0'.repeat(64) })],
    ['empty', () => ({ 'x-signature': '' })],
    ['of another body', () => genericSignature('{}')],
    ['upper case', (body: string) => ({ 'x-signature': genericSignature(body)['x-signature']?.toUpperCase() ?? '' })],
    [
      'with a changed timestamp',
      (body: string) => ({ ...genericSignature(body, now()), 'x-timestamp': String(now() - 9) }),
    ],
  ])('%s: 401 Invalid signature, nothing stored', async (_, sign) => {
    const body = payment()
    const { status, json, headers } = await postPayment(body, sign(JSON.stringify(body)))
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
    expect((await postPayment(body, genericSignature(body, now()))).json).toMatchObject(DUPLICATE)
  })

  it.each([-302, 302])('%d seconds away: 400 as a replay', async (seconds) => {
    const body = JSON.stringify(payment())
    const { status, json } = await postPayment(body, genericSignature(body, now() + seconds))
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, message: 'Timestamp outside the allowed window' })
  })
})

describe('an unreadable webhook', () => {
  it('W31 over 4 MiB: 413, nothing stored', async () => {
    const body = payment({ note: 'x'.repeat(4 * 1024 * 1024) })
    const { status, json } = await postPayment(body)
    expect(status).toBe(413)
    expect(json).toMatchObject({ success: false, message: 'Payload too large' })
    expect((await eventDetail('payment', String(body['eventId']))).status).toBe(404)
  })

  it('Q09 4 MiB of incompressible bytes are stored as they came, and one byte more gets 413', async () => {
    const body = payment()
    const start = `${JSON.stringify(body).slice(0, -1)},"blob":"`
    const blob = randomBytes(4_194_304)
      .toString('base64')
      .slice(0, 4_194_304 - start.length - 2)
    expect((await postPayment(`${start}${blob}A"}`)).status).toBe(413)
    expect((await eventDetail('payment', String(body['eventId']))).status).toBe(404)
    expect((await postPayment(`${start}${blob}"}`)).status).toBe(200)
    expect((await postPayment(`${start}${blob}"}`)).json).toMatchObject({ message: 'Duplicate event ignored' })
    const { json } = await eventDetail('payment', String(body['eventId']))
    expect(json.payload === `${start}${blob}`.slice(0, 262_144)).toBe(true)
    expect(json.payloadTruncated).toBe(true)
    expect(json.payloadBytes).toBeGreaterThan(262_144)
    expect((await eventPayload('payment', String(body['eventId']))).text === `${start}${blob}"}`).toBe(true)
  })

  it('4 MiB of text that fits into an item after compression is stored as it came', async () => {
    const body = JSON.stringify(payment({ note: 'x'.repeat(4_000_000) }))
    expect((await postPayment(body)).json).toMatchObject(SUCCESS)
    expect((await eventPayload('payment', JSON.parse(body).eventId)).text === body).toBe(true)
  })

  it('with a content coding: 415', async () => {
    const { status, json, headers } = await postPayment(payment(), { 'content-encoding': 'gzip' })
    expect(status).toBe(415)
    expect(json).toMatchObject({ success: false, message: 'Content coding is not supported' })
    expect(headers['accept-encoding']).toBe('identity')
  })
})
