import { retryOrder } from '../contract/requests/retry-order.ts'
import { json, record } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { EVENT } from './examples.ts'
import { ANY_CREDENTIALS, PUBLISH } from './grants.ts'
import type { Route } from './route.ts'
import type { Sample } from './sample.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/retry',
  access: { role: 'ROLE_ADMIN' },
  profile: 'all',
  errors: 'api',
} as const satisfies Route

export const sample = {
  parameters: { source: 'payment', eventId: 'playground' },
  json: { reason: 'playground' },
  granted: 404,
} as const satisfies Sample

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Have a failed event run again',
    description: 'Its attempts start anew.',
    reads: { json: retryOrder },
    isBodyOptional: true,
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_FAILED'],
    answers: {
      202: {
        description: 'It will run at once.',
        example: {
          ...EVENT,
          status: 'FAILED',
          processedAt: null,
          nextRetryAt: EVENT.receivedAt,
          errorMessage: 'Order',
        },
        content: json(record),
      },
    },
    grants: [...ANY_CREDENTIALS, { EventsTable: ['UpdateItem'], RetryQueue: ['SendMessage'] }, PUBLISH],
  }) as const satisfies About
