import * as z from 'zod'
import { replayQuery } from '../contract/requests/replay-query.ts'
import { jsonContent, orderedReplay } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ORDERED_REPLAY } from './examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/replays',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List replays',
    description: 'Last accepted first.',
    reads: { query: replayQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { replays: [ORDERED_REPLAY], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ replays: z.array(orderedReplay).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'ReplayList' }),
        ),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      COUNT_REPLAYED,
      {
        'DeliveriesTable/index/byReplay': ['Query'],
        ReplaysTable: ['BatchGetItem'],
        'ReplaysTable/index/byTime': ['Query'],
      },
    ],
  }) as const satisfies About
