import { makeDestinations } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { destinationList } from '../../lib/contract/answers/deliveries.ts'
import { DESTINATION } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { listDestinations } from '../../lib/deliver/operators/destinations.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/destinations',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the destinations of events',
  answers: { 200: jsonAnswer('All configured destinations.', destinationList, { destinations: [DESTINATION] }) },
  grants: [...ANY_CREDENTIALS, { DeliveriesTable: ['Query'], 'DeliveriesTable/index/due': ['Query'] }],
})

export async function start() {
  const app = await makeDestinations()
  return endpoint(route, app, async () => ok({ destinations: await listDestinations(app) }))
}
