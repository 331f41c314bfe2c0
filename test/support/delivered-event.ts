import { Buffer } from 'node:buffer'
import type { DeliveredEvent } from '../../lib/deliver/delivery.ts'
import { START } from './fakes/clock.ts'

/** The header of that name, as a try has it. */
export const A_TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** An event as a destination receives it. */
export function deliveredEvent(changes: Partial<DeliveredEvent> = {}): DeliveredEvent {
  return {
    id: 3804000000000000123n,
    source: 'stripe',
    eventId: 'evt_1',
    eventType: 'payment_intent.succeeded',
    receivedAt: START,
    payload: Buffer.from('{"id":"evt_1"}'),
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Stripe/1.0' },
    proof: { level: 'full', typeSigned: true, idSigned: true, key: 'stripe#1', signedAt: START },
    ...changes,
  }
}
