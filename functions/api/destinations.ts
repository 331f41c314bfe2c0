import * as z from 'zod/mini'
import { makeDestinations } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { destinationList } from '../../lib/contract/answers/deliveries.ts'
import { DESTINATION } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { closed, shortText } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { listDestinations } from '../../lib/deliver/operators/destinations.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'

export const route = {
  method: 'GET',
  path: '/api/destinations',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

const destinationQuery = closed({ name: z.optional(shortText()) })

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the destinations of events',
  description:
    'With `name` only that one, with its day: what became of the deliveries of the events that were accepted within 24 hours, the newest 10,000 of them, or what is read in three seconds. It is counted at most once a minute.',
  reads: { query: destinationQuery },
  refuses: ['DESTINATION_NOT_FOUND'],
  answers: { 200: jsonAnswer('The configured destinations.', destinationList, { destinations: [DESTINATION] }) },
  grants: [
    ...ANY_CREDENTIALS,
    { DeliveriesTable: ['BatchGetItem', 'Query'], 'DeliveriesTable/index/due': ['Query'] },
    { 'EventsTable/index/byTime': ['Query'] },
  ],
})

export async function start() {
  const app = await makeDestinations()
  return endpoint(route, app, query(destinationQuery), async ({ input }) =>
    ok({ destinations: await listDestinations(app, input.name) }),
  )
}
