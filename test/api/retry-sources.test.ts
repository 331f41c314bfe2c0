import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { eventDetail } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind, storedRow } from '../support/local-tables.ts'

const id = randomUUID()
const PAYMENT = { transactionId: id, orderId: id, status: 'COMPLETED', currency: 'EUR' }
const INTENT = { type: 'payment_intent.succeeded', data: { object: { id: `pi_${id}`, currency: 'eur', amount: 1 } } }
const ORDER = { orderId: id, status: 'SHIPPED' }

describe('a FAILED event is retried by the handler of its own source', () => {
  it.concurrent.each<[string, object, Record<string, string>, string, Record<string, string>]>([
    ['payment', PAYMENT, {}, 'payments', { transactionId: id }],
    ['stripe', INTENT, {}, 'payments', { transactionId: `pi_${id}` }],
    ['order-status', ORDER, {}, 'orders', { orderId: id }],
    ['github', { ref: 'refs/heads/main' }, { 'x-github-event': 'push' }, 'events', { source: 'github', eventId: id }],
    ['demo', { eventId: id }, {}, 'events', { source: 'demo', eventId: id }],
    ['slack', { event_id: id }, {}, 'events', { source: 'slack', eventId: id }],
    // Its body does not fit its row, even compressed.
    ['shopify', { text: randomBytes(350_000).toString('hex') }, {}, 'events', { source: 'shopify', eventId: id }],
  ])('%s', async (source, payload, headers, table, key) => {
    const now = new Date()
    const body = Buffer.from(JSON.stringify(payload))
    const payloadSha256 = createHash('sha256').update(body).digest('hex')
    const event = { source, eventId: id, headers, payload: body, payloadSha256 }
    await leaveBehind(failedEvent({ ...event, receivedAt: now, nextRetryAt: now }))
    const processed = await vi.waitUntil(
      async () => {
        const { json } = await eventDetail(source, id)
        return json.status === 'PROCESSED' && json
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(processed).toMatchObject({ attempts: 1, errorMessage: null, nextRetryAt: null })
    expect(await storedRow(table, key)).toMatchObject(key)
  })
})
