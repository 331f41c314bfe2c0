import { makeRefusals } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { refusalPage } from '../../lib/contract/answers/operation.ts'
import { REFUSAL } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { refusalQuery } from '../../lib/contract/requests/refusals.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listRefusals } from '../../lib/webhooks/refusals/list.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/refusals',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List refused webhook calls',
  description:
    'Last refused first, of the last 7 days, at most 1,000 rows of each source. A row counts the calls that were refused for one cause within a quarter of a day, and shows the last call. Except on a laptop the number is a lower bound, and for most calls only the reason is known: they count for the next cause found. A row that changes between two pages moves to the front. `from` and `to` select rows that counted a call in this time.',
  reads: { query: refusalQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', refusalPage, { refusals: [REFUSAL], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, { RefusalsTable: ['Query'] }],
})

export async function start() {
  const app = await makeRefusals()
  return endpoint(route, app, query(refusalQuery), async ({ input }) =>
    ok(await listRefusals(app.list, input, app.clock.now(), app.isLowerBound)),
  )
}
