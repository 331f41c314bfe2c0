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
      'The last refused first, of 7 days, at most 1,000 rows of each source. A row counts what was refused for one cause within a quarter of a day, at least so many, and shows the last call. Of most calls only the reason is known: they count for the cause that is found next. A row that is counted on while pages are read moves to the front. `from` and `to` let a row through that was counted on in between.',
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
