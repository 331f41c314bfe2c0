import * as z from 'zod'
import { delivery } from '../contract/delivery-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DELIVERY } from './examples.ts'
import { ANY_OR_KEY } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}/deliveries',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const sampleRequest = {
  parameters: { source: 'payment', eventId: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the deliveries of a webhook event',
    description: 'By destination, including destinations that were removed later.',
    refuses: ['EVENT_NOT_FOUND'],
    answers: {
      200: {
        description: 'All deliveries, or none if the event matches no destination.',
        example: { deliveries: [DELIVERY] },
        content: jsonContent(z.strictObject({ deliveries: z.array(delivery) }).meta({ id: 'DeliveryList' })),
      },
    },
    grants: [...ANY_OR_KEY, { DeliveriesTable: ['Query'] }, { EventsTable: ['BatchGetItem', 'GetItem'] }],
  }) as const satisfies About
