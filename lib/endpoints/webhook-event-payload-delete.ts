import { payloadDeletion } from '../contract/requests/payload-deletion.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS, PUBLISH } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/webhooks/events/{source}/{eventId}/payload',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'payload.deleted', target: 'event', names: ['force'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { source: 'payment', eventId: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Delete the payload of a webhook event',
    description:
      'Deletes it with its headers. The event stays, so that a copy of it is still a duplicate. While an attempt or a delivery waits or runs, the answer is 409. `force=true` ends these, the event as dead.',
    reads: { query: payloadDeletion },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_UNDER_WAY'],
    answers: {
      204: { description: 'It is deleted.' },
    },
    grants: [
      ...ANY_CREDENTIALS,
      { DeliveriesTable: ['GetItem', 'Query', 'UpdateItem'], EventsTable: ['BatchWriteItem', 'GetItem', 'UpdateItem'] },
      PUBLISH,
    ],
  }) as const satisfies About
