import { makeDeliveryList } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { deliveryList } from '../../lib/contract/answers/deliveries.ts'
import { DELIVERY } from '../../lib/contract/examples.ts'
import { ANY_OR_KEY } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { listDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}/deliveries',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the deliveries of a webhook event',
  description: 'By destination, including destinations that were removed later.',
  refuses: ['EVENT_NOT_FOUND'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('All deliveries, or none if the event matches no destination.', deliveryList, {
      deliveries: [DELIVERY],
    }),
  },
  grants: [...ANY_OR_KEY, { DeliveriesTable: ['Query'] }, { EventsTable: ['BatchGetItem', 'GetItem'] }],
})

export async function start() {
  const app = await makeDeliveryList()
  return endpoint(route, app, async ({ parameters, principal }) =>
    ok({ deliveries: await listDeliveries(app, readable(principal, parameters)) }),
  )
}
