import * as z from 'zod'
import { trailQuery } from '../contract/requests/trail-query.ts'
import { jsonContent } from '../contract/schemas.ts'
import { trailLine } from '../contract/trail-schemas.ts'
import type { About } from './about.ts'
import { TRAIL_LINE } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/audit',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List what users and operators did',
    description:
      'The audit trail, oldest first. Without `since`, it covers the last 24 hours. A page before the last one may be short or empty: continue while there is a `nextCursor`, with the same query.',
    reads: { query: trailQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { lines: [TRAIL_LINE], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ lines: z.array(trailLine).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'AuditPage' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { AuditLogGroup: ['FilterLogEvents'] }],
  }) as const satisfies About
