import { randomUUID } from 'node:crypto'
import { type Callers, withFields } from '../callers.ts'
import type { RequestCases } from './case.ts'
import { get, postJson } from './requests.ts'

/** What operators see and order. */
export function operation({ bearer, call, failedEvent, newReplay, webhook }: Callers): RequestCases {
  const admin = () => bearer('ROLE_ADMIN')

  async function storedEvent(eventId: string): Promise<string> {
    await call('webhookPayment', webhook('payment', withFields({ eventId })))
    return eventId
  }

  /** The path of a payment with as many order lines as the intake takes: each quotation mark makes its event longer. */
  async function largeEvent(): Promise<string> {
    const eventId = `large-${randomUUID()}`
    const line = '{"sku":"4711-blue","name":"Trousers","quantity":1,"price":"49.90"}'
    const lines = Array.from({ length: Math.floor(4_194_304 / (line.length + 1)) - 10 }, () => JSON.parse(line))
    await call('webhookPayment', webhook('payment', withFields({ eventId, lines })))
    return `/api/webhooks/events/payment/${eventId}`
  }

  async function newKey(): Promise<string> {
    const { json } = await call('keysCreate', postJson('/api/keys', { name: 'reader' }, await admin()))
    return json.key
  }

  return {
    webhookEvents: [
      {
        what: 'a query with letters beyond ASCII',
        request: async () => get('/api/webhooks/events?limit=5&source=payment&q=%C3%BCber+alles', await admin()),
        answer: { status: 200, json: { events: [] } },
      },
      {
        what: 'a key',
        request: async () => get('/api/webhooks/events?limit=1', ['X-Api-Key', await newKey()]),
        answer: { status: 200 },
      },
      {
        what: 'two keys, which the gateway joins',
        request: async () => {
          const key = await newKey()
          return get('/api/webhooks/events?limit=1', ['x-api-key', key], ['X-Api-Key', key])
        },
        answer: { status: 400 },
      },
    ],
    webhookEvent: [
      {
        what: 'an id that the gateway has decoded',
        request: async () => {
          const eventId = await storedEvent(`zahlung/über 100% %41 € ${randomUUID()}`)
          return get(`/api/webhooks/events/payment/${encodeURIComponent(eventId)}`, await admin())
        },
        answer: { status: 200, json: { status: 'PROCESSED', payloadTruncated: false } },
      },
      {
        what: 'an event of 4 MB by its beginning',
        request: async () => get(await largeEvent(), await admin()),
        answer: { status: 200, json: { status: 'PROCESSED', payloadEncoding: 'utf8', payloadTruncated: true } },
      },
    ],
    webhookEventPayload: [
      {
        what: 'an id that the gateway has decoded',
        request: async () => {
          const eventId = await storedEvent(`zahlung/über 100% %41 € ${randomUUID()}`)
          return get(`/api/webhooks/events/payment/${encodeURIComponent(eventId)}/payload`, await admin())
        },
        answer: {
          status: 200,
          json: { status: 'COMPLETED' },
          headers: { 'content-disposition': /^attachment; filename="payment-zahlung_ber_100_[\w.-]+\.json"$/ },
        },
      },
      {
        what: 'an event of 4 MB that Lambda takes as text, and could not hand back as such',
        request: async () => get(`${await largeEvent()}/payload`, await admin()),
        answer: { status: 200, headers: { 'content-type': /^application\/json$/ } },
      },
    ],
    webhookEventPayloadDelete: [
      {
        what: 'an event that is done',
        request: async () => {
          const eventId = await storedEvent(`event-${randomUUID()}`)
          return { ...get(`/api/webhooks/events/payment/${eventId}/payload`, await admin()), method: 'DELETE' }
        },
        answer: { status: 204 },
      },
    ],
    payment: [
      {
        what: 'what a webhook did',
        request: async () => {
          const transactionId = `tx-${randomUUID()}`
          await call('webhookPayment', webhook('payment', withFields({ eventId: transactionId, transactionId })))
          return get(`/api/payments/${transactionId}`, await admin())
        },
        answer: { status: 200, json: { status: 'COMPLETED', events: [{ source: 'payment' }] } },
      },
    ],
    order: [
      {
        what: 'an order that no webhook named',
        request: async () => get('/api/orders/nothing', await admin()),
        answer: { status: 404, json: { message: 'Order not found' } },
      },
    ],
    webhookEventRetry: [
      {
        what: 'an event that failed, and a reason',
        request: async () => {
          const target = `/api/webhooks/events/payment/${await failedEvent()}/retry`
          return postJson(target, { reason: 'corrected' }, await admin())
        },
        answer: { status: 202, json: { status: 'FAILED', attempts: 0 } },
      },
    ],
    webhookEventRelease: [
      {
        what: 'an event that is not held',
        request: async () => {
          const target = `/api/webhooks/events/payment/${await storedEvent(`event-${randomUUID()}`)}/release`
          return postJson(target, { reason: 'meant' }, await admin())
        },
        answer: { status: 409, json: { message: 'Webhook event is not held' } },
      },
    ],
    webhookEventDeliveries: [
      {
        what: 'an event that went nowhere',
        request: async () => {
          const eventId = await storedEvent(`event-${randomUUID()}`)
          return get(`/api/webhooks/events/payment/${eventId}/deliveries`, await admin())
        },
        answer: { status: 200, json: { deliveries: [] } },
      },
    ],
    webhookEventDeliveryRetry: [
      {
        what: 'a destination that there is not',
        request: async () => {
          const target = '/api/webhooks/events/payment/nothing/deliveries/crm/retry'
          return postJson(target, { reason: 'again' }, await admin())
        },
        answer: { status: 404, json: { message: 'Destination not found' } },
      },
    ],
    webhookSourceSetup: [
      {
        what: 'a source for which nobody waits',
        request: async () => get('/api/webhooks/sources/asana/setup', await admin()),
        answer: { status: 200, json: { state: 'closed', token: null } },
      },
    ],
    webhookSourceSetupOpen: [
      {
        what: 'a sender that hands its key over',
        request: async () => postJson('/api/webhooks/sources/notion/setup', {}, await admin()),
        answer: { status: 202 },
      },
    ],
    webhookRefusals: [
      {
        what: 'a call that was refused',
        request: async () => {
          await call('webhookPayment', { ...webhook('payment'), body: '{}' })
          return get('/api/webhooks/refusals?source=payment&reason=wrong-signature&limit=1', await admin())
        },
        answer: { status: 200, json: { refusals: [{ source: 'payment', reason: 'wrong-signature' }] } },
      },
    ],
    replaysCreate: [
      {
        what: 'an order',
        request: async () => {
          const replayId = `replay-${randomUUID()}`
          return postJson('/api/webhooks/replays', { replayId, filter: { q: replayId } }, await admin())
        },
        answer: { status: 202, json: { matched: 0 } },
      },
    ],
    replay: [
      {
        what: 'an order that was given',
        request: async () => get(`/api/webhooks/replays/${await newReplay()}`, await admin()),
        answer: { status: 200, json: { matched: 0 } },
      },
    ],
    destinations: [
      {
        what: 'none that is configured',
        request: async () => get('/api/destinations', await admin()),
        answer: { status: 200, json: { destinations: [] } },
      },
    ],
    destinationDeliveries: [
      {
        what: 'a destination that there is not',
        request: async () => get('/api/destinations/crm/deliveries', await admin()),
        answer: { status: 404, json: { message: 'Destination not found' } },
      },
    ],
    destinationEnable: [
      {
        what: 'a destination that there is not',
        request: async () => postJson('/api/destinations/crm/enable', { reason: 'back again' }, await admin()),
        answer: { status: 404, json: { message: 'Destination not found' } },
      },
    ],
    destinationTest: [
      {
        what: 'a destination that there is not',
        request: async () => postJson('/api/destinations/crm/test', {}, await admin()),
        answer: { status: 404, json: { message: 'Destination not found' } },
      },
    ],
    destinationDisable: [
      {
        what: 'a destination that there is not',
        request: async () => postJson('/api/destinations/crm/disable', { reason: 'moving house' }, await admin()),
        answer: { status: 404, json: { message: 'Destination not found' } },
      },
    ],
  }
}
