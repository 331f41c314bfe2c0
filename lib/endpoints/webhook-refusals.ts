import * as z from 'zod'
import { refusalQuery } from '../contract/requests/refusal-query.ts'
import { jsonContent, webhookRefusal } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { REFUSAL } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/refusals',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List refused webhook calls',
    description:
      'Last refused first, of the last 7 days, at most 1,000 rows of each source. A row counts the calls that were refused for one cause within a quarter of a day, and shows the last call. Except on a laptop the number is a lower bound, and for most calls only the reason is known: they count for the next cause found. A row that changes between two pages moves to the front. `from` and `to` select rows that counted a call in this time.',
    reads: { query: refusalQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { refusals: [REFUSAL], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ refusals: z.array(webhookRefusal).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'WebhookRefusalList' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { RefusalsTable: ['Query'] }],
  }) as const satisfies About
