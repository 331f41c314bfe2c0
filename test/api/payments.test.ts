import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { genericSignature, payment, postJson, postPayment } from '../support/events.ts'

async function get(path: string, user = 'admin'): Promise<Answer> {
  return call(path, bearer(await tokenOf(user)))
}

const unique = () => randomUUID()

/** Sends payments one after another, each under a key of its own. */
async function pay(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) expect((await postPayment({ ...payment(), ...body })).status).toBe(200)
}

describe('GET /api/payments/{transactionId}', () => {
  it('shows the exact amount and the events of the payment, including late ones', async () => {
    const [transactionId, orderId] = [`tx-${unique()}`, `order-${unique()}`]
    const ids = [unique(), unique(), unique()]
    const body = `{"eventId":"${ids[0]}","transactionId":"${transactionId}","orderId":"${orderId}","status":"COMPLETED","amount":10.00,"currency":"EUR"}`
    expect((await call('/webhooks/payment', postJson(body))).status).toBe(200)
    const same = { transactionId, orderId, customerId: 'c-1' }
    await pay({ ...same, eventId: ids[1], status: 'FAILED', amount: '11' })
    await pay({ ...same, eventId: ids[2], status: 'REFUNDED', amount: '10.000' })
    const { status, json } = await get(`/api/payments/${transactionId}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ transactionId, orderId, customerId: 'c-1', status: 'REFUNDED', amount: '10.000' })
    const outcomes = json.events.map(({ eventId, outcome }: Record<string, string>) => [eventId, outcome])
    expect(outcomes).toEqual([
      [ids[0], 'applied'],
      [ids[1], 'superseded'],
      [ids[2], 'applied'],
    ])
    expect(json.updatedAt).toBe(json.events[2].at)
    for (const { href, eventId, source, eventType } of json.events) {
      expect((await get(href)).json).toMatchObject({ eventId, source, eventType: eventType })
    }
  })

  it('finds an id with other scripts, and with characters that have a meaning in a path', async () => {
    const transactionId = `..?a=b&c#d;e %2F%41 ü 密码 📦 ${unique()}`
    await pay({ transactionId })
    const { status, json } = await get(`/api/payments/${encodeURIComponent(transactionId)}`)
    expect([status, json.transactionId]).toEqual([200, transactionId])
  })

  it('knows no path with a slash in an id, encoded or not: the list finds it', async () => {
    const transactionId = `a/b/${unique()}`
    await pay({ transactionId })
    for (const path of [transactionId, encodeURIComponent(transactionId)]) {
      const { status, json } = await get(`/api/payments/${path}`)
      expect([status, json.message]).toEqual([404, 'No endpoint found for the method and path'])
    }
    const { json } = await get(`/api/payments?transactionId=${encodeURIComponent(transactionId)}`)
    expect(json).toMatchObject({ payments: [{ transactionId, events: [{ outcome: 'applied' }] }], nextCursor: null })
    const { json: none } = await get(`/api/payments?transactionId=${encodeURIComponent(transactionId)}&status=FAILED`)
    expect(none).toEqual({ payments: [], nextCursor: null })
  })

  it('answers 404 for an id that nobody sent, or that is longer than any stored one', async () => {
    for (const id of ['constructor', 'x'.repeat(3000)]) {
      const { status, json } = await get(`/api/payments/${id}`)
      expect(status).toBe(404)
      expect(json).toMatchObject({ error: 'Not Found', message: 'Payment not found', path: `/api/payments/${id}` })
    }
  })
})

describe('GET /api/payments', () => {
  it('lists the last changed first, page by page, each once', async () => {
    const customerId = unique()
    const bodies = Array.from({ length: 5 }, (_, index) =>
      payment({ customerId, status: index % 2 ? 'FAILED' : 'COMPLETED' }),
    )
    await pay(...bodies)
    const path = `/api/payments?customerId=${customerId}`
    const found: string[] = []
    let cursor: string | null = ''
    do {
      const { json }: Answer = await get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`)
      found.push(...json.payments.map((one: { transactionId: string }) => one.transactionId))
      cursor = json.nextCursor
    } while (cursor)
    expect(found).toEqual(bodies.map((body) => body['transactionId']).reverse())
    expect((await get(`${path}&status=FAILED`)).json.payments.length).toBe(2)
    const [first = {}] = bodies
    expect((await get(`${path}&orderId=${first['orderId']}`)).json.payments).toMatchObject(
      [first['transactionId']].map((transactionId) => ({ transactionId })),
    )
    const named = async (q: string) =>
      (await get(`${path}&q=${q}`)).json.payments.map(({ transactionId }: { transactionId: string }) => transactionId)
    expect(await named(String(first['orderId']).slice(2).toUpperCase())).toEqual([first['transactionId']])
    expect(await named(String(first['transactionId']))).toEqual([first['transactionId']])
    expect(await named(customerId.slice(2))).toEqual(found)
    await pay({ ...first, eventId: unique(), status: 'REFUNDED' })
    const [front] = (await get(`${path}&limit=1`)).json.payments
    expect(front).toMatchObject({ transactionId: first['transactionId'], status: 'REFUNDED' })
  })

  it('answers 400 to wrong and unknown parameters, and names them', async () => {
    const { status, json } = await get(`/api/payments?limit=0&status=PENDING&q=%00&customerId=${'x'.repeat(257)}`)
    expect(status).toBe(400)
    const fields = json.details.validationErrors.map(({ field }: { readonly field: string }) => field)
    expect(fields.sort()).toEqual(['customerId', 'limit', 'q', 'status'])
  })

  it.each(['abc', 'W10'])('answers 400 to a cursor that no page returned: %s', async (cursor) => {
    const { status, json } = await get(`/api/payments?cursor=${cursor}`)
    expect([status, json.details.validationErrors]).toMatchObject([400, [{ field: 'cursor' }]])
  })

  it('answers 400 to a cursor of another filter', async () => {
    const customerId = unique()
    await pay({ customerId }, { customerId })
    const { nextCursor } = (await get(`/api/payments?customerId=${customerId}&limit=1`)).json
    expect((await get(`/api/payments?limit=1&cursor=${nextCursor}`)).status).toBe(400)
    expect((await get(`/api/payments?customerId=${customerId}&limit=2&cursor=${nextCursor}`)).status).toBe(200)
  })

  it.each(['/api/payments', '/api/payments/tx-1', '/api/orders', '/api/orders/order-1', '/api/webhooks/replays'])(
    '%s is for admins: 401 without credentials, 403 for a user',
    async (path) => {
      expect((await call(path)).status).toBe(401)
      const { status, json } = await get(path, 'user')
      expect([status, json.details.requiredRole]).toEqual([403, 'ROLE_ADMIN'])
    },
  )
})

describe('GET /api/orders', () => {
  async function ship(body: object): Promise<void> {
    const text = JSON.stringify({ eventId: unique(), status: 'SHIPPED', ...body })
    const answer = await call(
      '/webhooks/order-status',
      postJson(text, genericSignature(text, undefined, 'order-status')),
    )
    expect(answer.status).toBe(200)
  }

  it('shows an order with its events, alone and in a list', async () => {
    const orderId = `order-${unique()}`
    const shipped = { orderId, carrier: 'DHL', trackingNumber: '1', timestamp: '2026-11-21T07:00:00' }
    await ship(shipped)
    await ship({ orderId, status: 'PENDING', estimatedDelivery: '2026-11-24', timestamp: '2026-11-21T06:00:00' })
    const wanted = { orderId, status: 'SHIPPED', carrier: 'DHL', trackingNumber: '1', estimatedDelivery: '2026-11-24' }
    const { status, json } = await get(`/api/orders/${orderId}`)
    expect([status, json]).toMatchObject([200, wanted])
    expect(json.events.map(({ outcome }: Record<string, string>) => outcome)).toEqual(['applied', 'superseded'])
    expect(json.updatedAt).toBe(json.events[1].at)
    const { orders } = (await get('/api/orders?status=SHIPPED&limit=200')).json
    expect(orders).toContainEqual(json)
    expect((await get(`/api/orders?orderId=${orderId}&status=PENDING`)).json.orders).toEqual([])
  })

  it('answers 404 for an unknown order', async () => {
    const { status, json } = await get('/api/orders/nothing')
    expect([status, json.message]).toEqual([404, 'Order not found'])
  })
})
