import * as z from 'zod'
import { trailQuery } from '../contract/requests/trail-query.ts'
import { jsonContent } from '../contract/schemas.ts'
import { trailEntry } from '../contract/trail-schemas.ts'
import type { About } from './about.ts'
import { TRAIL_ENTRY } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/audit',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

const COMPLETE = 'Whether everything was looked at up to the end of the page. One page looks at 10,000 rows at most.'

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List what users and operators did',
    description:
      'The audit trail, newest first. `actor` and `target` take an id or a name, in any case; `action` and `outcome` may be given several times; `q` finds a part of a name, an id or the action. Readings of payloads are listed only with `reads=true` or `action=payload.read`. A page may be short or empty: continue while there is a `nextCursor`, with the same query.',
    reads: { query: trailQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { entries: [TRAIL_ENTRY], nextCursor: null, complete: true },
        content: jsonContent(
          z
            .strictObject({
              entries: z.array(trailEntry).max(200),
              nextCursor: z.string().nullable(),
              complete: z.boolean().describe(COMPLETE),
            })
            .meta({ id: 'AuditPage' }),
        ),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      {
        'AuditTable/index/byTime': ['Query'],
        'AuditTable/index/byActor': ['Query'],
        'AuditTable/index/byTarget': ['Query'],
      },
    ],
  }) as const satisfies About
