import * as z from 'zod'
import { listedDelivery } from '../contract/delivery-schemas.ts'
import { deliveryQuery } from '../contract/requests/delivery-query.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { LISTED_DELIVERY } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/destinations/{name}/deliveries',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = {
  parameters: { name: 'playground' },
  query: '?state=DEAD&limit=3',
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the deliveries to a destination',
    description:
      'Last accepted event first. Several values of `state`, `source` or `type` are joined by "or". A page may be shorter than the limit, even empty, although more follow: it ends after 1,000 events. Dead deliveries alone have an index of their own, so that a few among many events are found at once.',
    refuses: ['DESTINATION_NOT_FOUND'],
    reads: { query: deliveryQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { deliveries: [LISTED_DELIVERY], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ deliveries: z.array(listedDelivery).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'DestinationDeliveryList' }),
        ),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      {
        DeliveriesTable: ['BatchGetItem', 'GetItem'],
        'DeliveriesTable/index/dead': ['Query'],
        'EventsTable/index/byTime': ['Query'],
      },
    ],
  }) as const satisfies About
