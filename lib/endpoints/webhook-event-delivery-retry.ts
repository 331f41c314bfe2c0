import { delivery } from '../contract/delivery-schemas.ts'
import { retryCommand } from '../contract/requests/retry-command.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DELIVERY } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/deliveries/{destination}/retry',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'delivery.retried', target: 'delivery', names: ['reason'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { source: 'payment', eventId: 'playground', destination: 'playground' },
  json: { reason: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Deliver a webhook event again',
    description:
      'Works in any state, even if the event was accepted before the destination existed. Its attempts start from zero.',
    reads: { json: retryCommand },
    bodyExample: { reason: 'the shop is open again' },
    isBodyOptional: true,
    refuses: ['EVENT_NOT_FOUND', 'DESTINATION_NOT_FOUND', 'PAYLOAD_MISSING', 'DELIVERY_UNDER_WAY'],
    answers: {
      202: {
        description: 'It will be delivered at once, or when its destination is enabled again.',
        example: { ...DELIVERY, status: 'PENDING', attempts: 0, dueAt: '2026-11-21T07:00:00.000', deliveredAt: null },
        content: jsonContent(delivery),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      { DeliveriesTable: ['GetItem', 'PutItem', 'UpdateItem'] },
      { EventsTable: ['GetItem'] },
    ],
  }) as const satisfies About
