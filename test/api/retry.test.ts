import { describe, expect, it, vi } from 'vitest'
import { eventDetail, payment, postPayment } from '../support/events.ts'
import { RETRY_DELAYS } from '../support/retry-delays.ts'

describe('a payment that belongs to another order than its stored transaction', () => {
  it('W30 gets 500, is retried three times at its delays, and is FAILED and dead after that', async () => {
    const stored = payment()
    await postPayment(stored)
    const failing = { ...stored, eventId: `${stored['eventId']}-other`, orderId: 'another-order', status: 'REFUNDED' }
    const { status, json } = await postPayment(failing)
    expect(status).toBe(500)
    const errorMessage = 'transaction belongs to another order or currency'
    expect(json).toMatchObject({ success: false, message: `Processing failed: ${errorMessage}` })

    const { json: failed } = await eventDetail('payment', failing.eventId)
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 0, errorMessage, dead: false, processedAt: null })
    const received = Date.parse(failed.receivedAt)
    expect(Date.parse(failed.nextRetryAt) - received).toBe(RETRY_DELAYS[0])

    const dead = await vi.waitUntil(
      async () => {
        const { json: event } = await eventDetail('payment', failing.eventId)
        return event.dead && event
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(dead).toMatchObject({ status: 'FAILED', attempts: 3, nextRetryAt: null, errorMessage })
    expect(dead.history.map(({ status, by }: { status: string; by: string }) => `${status} ${by}`)).toEqual([
      'FAILED intake',
      'RETRY retry',
      'FAILED retry',
      'RETRY retry',
      'FAILED retry',
      'RETRY retry',
      'FAILED retry',
    ])
    const runs = dead.history.filter(({ status }: { status: string }) => status === 'RETRY')
    for (const [index, delay] of RETRY_DELAYS.entries()) {
      expect(Date.parse(runs[index].at) - received).toBeGreaterThanOrEqual(delay)
    }
  })
})

describe('GET /api/webhooks/events/{source}/{eventId}', () => {
  it('answers 404 for an unknown event', async () => {
    const { status, json } = await eventDetail('payment', 'evt_nothing')
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'Not Found', message: 'Webhook event not found' })
  })

  it('P09 accepts an event id with a slash and other odd characters, percent-encoded', async () => {
    const body = payment({ eventId: `a/b ?#%ü-${crypto.randomUUID()}` })
    await postPayment(body)
    const { status, json } = await eventDetail('payment', String(body['eventId']))
    expect(status).toBe(200)
    expect(json.eventId).toBe(body['eventId'])
  })
})
