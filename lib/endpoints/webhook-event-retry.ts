import { retryCommand } from '../contract/requests/retry-command.ts'
import { jsonContent, record } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { EVENT } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/retry',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'event.retried', target: 'event', names: ['reason'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { source: 'payment', eventId: 'playground' },
  json: { reason: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Retry a failed event',
    description: 'Its attempts start from zero.',
    reads: { json: retryCommand },
    bodyExample: { reason: 'the shop is open again' },
    isBodyOptional: true,
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_FAILED', 'PAYLOAD_MISSING'],
    answers: {
      202: {
        description: 'It will be retried at once.',
        example: {
          ...EVENT,
          status: 'FAILED',
          processedAt: null,
          nextRetryAt: EVENT.receivedAt,
          errorMessage: 'Order',
        },
        content: jsonContent(record),
      },
    },
    grants: [...ANY_CREDENTIALS, { EventsTable: ['GetItem', 'UpdateItem'], RetryQueue: ['SendMessage'] }],
  }) as const satisfies About
