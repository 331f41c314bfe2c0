import { makeOperators } from '../../lib/app/operators.ts'
import { withinScope } from '../../lib/auth/keys/api-key.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { eventPage } from '../../lib/contract/answers/events.ts'
import { EVENT } from '../../lib/contract/examples.ts'
import { ANY_OR_KEY, LIST_EVENTS } from '../../lib/contract/grants.ts'
import { eventQuery } from '../../lib/contract/requests/events.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listEvents, pageOf } from '../../lib/webhooks/operators/list.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List webhook events',
  description:
    'Newest first. A page may hold fewer events than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`.',
  reads: { query: eventQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', eventPage, { events: [EVENT], nextCursor: null }) },
  grants: [...ANY_OR_KEY, LIST_EVENTS],
})

export async function start() {
  const app = await makeOperators()
  return endpoint(route, app, query(eventQuery), async ({ input, principal }) =>
    ok(pageOf(await listEvents(app.list, withinScope(principal, input)))),
  )
}
