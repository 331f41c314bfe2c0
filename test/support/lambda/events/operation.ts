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

  return {
    webhookEvents: [
      {
        what: 'a query with letters beyond ASCII',
        request: async () => get('/api/webhooks/events?limit=5&source=payment&q=%C3%BCber+alles', await admin()),
        answer: { status: 200, json: { events: [] } },
      },
    ],
    webhookEvent: [
      {
        what: 'an id that the gateway has decoded',
        request: async () => {
          const eventId = await storedEvent(`zahlung/über 100% %41 € ${randomUUID()}`)
          return get(`/api/webhooks/events/payment/${encodeURIComponent(eventId)}`, await admin())
        },
        answer: { status: 200, json: { status: 'PROCESSED' } },
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
  }
}
