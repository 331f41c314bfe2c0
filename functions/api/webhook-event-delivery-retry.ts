import { makeRedelivery } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { orderedDelivery } from '../../lib/contract/answers/deliveries.ts'
import { DELIVERY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, MOVE_DELIVERIES, STORE_DELIVERIES } from '../../lib/contract/grants.ts'
import { retryCommand } from '../../lib/contract/requests/command.ts'
import type { Route } from '../../lib/contract/route.ts'
import { redeliver } from '../../lib/deliver/operators/order.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/deliveries/{destination}/retry',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'delivery.retried', target: 'delivery', names: ['reason'] },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Deliver a webhook event again',
  description:
    'Works in any state, even if the event was accepted before the destination existed. Its attempts start from zero. `note` says why it may have no effect: SQS drops what a FIFO queue had within five minutes.',
  reads: { json: retryCommand },
  bodyExample: { reason: 'the shop is open again' },
  isBodyOptional: true,
  refuses: ['EVENT_NOT_FOUND', 'DESTINATION_NOT_FOUND', 'PAYLOAD_MISSING', 'DELIVERY_UNDER_WAY'],
  sample: {
    parameters: { source: 'payment', eventId: 'playground', destination: 'playground' },
    json: { reason: 'playground' },
    granted: 404,
  },
  answers: {
    202: jsonAnswer('It will be delivered at once, or when its destination is enabled again.', orderedDelivery, {
      ...DELIVERY,
      status: 'PENDING',
      attempts: 0,
      dueAt: '2026-11-21T07:00:00.000',
      deliveredAt: null,
      note: null,
    }),
  },
  grants: [
    ...ANY_CREDENTIALS,
    { DeliveriesTable: [...MOVE_DELIVERIES, ...STORE_DELIVERIES] },
    { EventsTable: ['GetItem'] },
  ],
})

export async function start() {
  const app = await makeRedelivery()
  return endpoint(route, app, json(retryCommand, { absent: {} }), async ({ parameters, principal, input }) =>
    accepted(await redeliver(app, parameters, { user: principal.username, reason: input.reason })),
  )
}
