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
import { auditRead } from '../../lib/webhooks/audit.ts'
import { eventKeyOf } from '../../lib/webhooks/detail.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}/deliveries',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
  audit: { action: 'payload.read', target: 'event' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the deliveries of a webhook event',
  description:
    'By destination, including destinations that were removed later; and what keeps the event from the others. The requests of the last attempts have the beginning of the payload, so that a call counts as a reading of it.',
  refuses: ['EVENT_NOT_FOUND'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('All deliveries, or none if the event matches no destination.', deliveryList, {
      deliveries: [DELIVERY],
      others: [{ destination: 'ledger', unmet: ['where.json.amount'] }],
    }),
  },
  grants: [...ANY_OR_KEY, { DeliveriesTable: ['Query'] }, { EventsTable: ['BatchGetItem', 'GetItem'] }],
})

export async function start() {
  const app = await makeDeliveryList()
  return endpoint(route, app, async ({ parameters, principal }) => {
    const key = eventKeyOf(readable(principal, parameters))
    const listed = await listDeliveries(app, key)
    auditRead(app.audit, key, principal.username)
    return ok(listed)
  })
}
