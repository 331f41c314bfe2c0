import { makeTrailList } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { trailPage } from '../../lib/contract/answers/trail.ts'
import { TRAIL_ENTRY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { trailQuery } from '../../lib/contract/requests/trail.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listTrail } from '../../lib/trail/list.ts'

export const route = { method: 'GET', path: '/api/audit', access: { role: 'ROLE_ADMIN' } } as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'List what users and operators did',
  description:
    'The audit trail, newest first. `actor` and `target` take an id or a name, in any case; `action` and `outcome` may be given several times; `q` finds a part of a name, an id or the action. Readings of payloads are listed only with `reads=true` or `action=payload.read`. A page may be short or empty: continue while there is a `nextCursor`, with the same query.',
  reads: { query: trailQuery },
  answers: { 200: jsonAnswer('One page.', trailPage, { entries: [TRAIL_ENTRY], nextCursor: null, complete: true }) },
  grants: [
    ...ANY_CREDENTIALS,
    {
      'AuditTable/index/byTime': ['Query'],
      'AuditTable/index/byActor': ['Query'],
      'AuditTable/index/byTarget': ['Query'],
    },
  ],
})

export async function start() {
  const app = await makeTrailList()
  return endpoint(route, app, query(trailQuery), async ({ input }) => ok(await listTrail(app, input)))
}
