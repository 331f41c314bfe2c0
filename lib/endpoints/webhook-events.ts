import * as z from 'zod'
import { eventQuery } from '../contract/requests/event-filter.ts'
import { jsonContent, record } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { EVENT } from './examples.ts'
import { ANY_OR_KEY, LIST_EVENTS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List webhook events',
    description:
      'Newest first. A page may hold fewer events than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`.',
    reads: { query: eventQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { events: [EVENT], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ events: z.array(record).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'WebhookEventList' }),
        ),
      },
    },
    grants: [...ANY_OR_KEY, LIST_EVENTS],
  }) as const satisfies About
