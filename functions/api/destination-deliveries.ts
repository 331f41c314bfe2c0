import * as z from 'zod/mini'
import { makeDestinationDeliveries } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { deliveryPage } from '../../lib/contract/answers/deliveries.ts'
import { LISTED_DELIVERY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { closed, inOrder, localTime, oneOf, page, several, shortText } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { listDestinationDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'

export const route = {
  method: 'GET',
  path: '/api/destinations/{name}/deliveries',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

const deliveryQuery = closed(
  {
    state: several(oneOf(['PENDING', 'SENDING', 'DELIVERED', 'DEAD', 'PARKED'])),
    source: several(shortText()),
    type: several(shortText()),
    from: z.optional(localTime()),
    to: z.optional(localTime()),
    ...page(),
  },
  inOrder(),
)

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the deliveries to a destination',
  description:
    'Last accepted event first. Several values of `state`, `source` or `type` are joined by "or". A page may be shorter than the limit, even empty, although more follow: it ends after 1,000 events. Dead deliveries alone have an index of their own, so that a few among many events are found at once.',
  refuses: ['DESTINATION_NOT_FOUND'],
  reads: { query: deliveryQuery },
  sample: { parameters: { name: 'playground' }, query: '?state=DEAD&limit=3', granted: 404 },
  answers: { 200: jsonAnswer('One page.', deliveryPage, { deliveries: [LISTED_DELIVERY], nextCursor: null }) },
  grants: [
    ...ANY_CREDENTIALS,
    {
      DeliveriesTable: ['BatchGetItem', 'GetItem'],
      'DeliveriesTable/index/dead': ['Query'],
      'EventsTable/index/byTime': ['Query'],
      EventsTable: ['BatchGetItem'],
    },
  ],
})

export async function start() {
  const app = await makeDestinationDeliveries()
  return endpoint(route, app, query(deliveryQuery), async ({ parameters, input }) =>
    ok(await listDestinationDeliveries(app, parameters['name'], input)),
  )
}
