import { makeCounts } from '../../lib/app/operators.ts'
import { withinScope } from '../../lib/auth/keys/api-key.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { eventCounts } from '../../lib/contract/answers/events.ts'
import { ANY_OR_KEY, LIST_EVENTS } from '../../lib/contract/grants.ts'
import { countQuery } from '../../lib/contract/requests/events.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { countEvents } from '../../lib/webhooks/operators/counts.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/counts',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Count webhook events',
  description:
    'Counts by status, by source, and by status over time. Without `from` and `to` it covers the last 24 hours. It reads at most 50,000 events, newest first.',
  reads: { query: countQuery },
  sample: { query: '?status=FAILED', granted: 200 },
  answers: {
    200: jsonAnswer('The counts. Counts of zero are absent.', eventCounts, {
      from: '2026-11-21T05:30:00.000',
      to: '2026-11-21T07:00:00.000',
      complete: true,
      bucketSeconds: 3600,
      totals: { status: { FAILED: 2, PROCESSED: 198 }, source: { payment: 40, stripe: 160 } },
      buckets: [
        { at: '2026-11-21T05:00:00.000', status: { PROCESSED: 58 } },
        { at: '2026-11-21T06:00:00.000', status: { FAILED: 2, PROCESSED: 140 } },
        { at: '2026-11-21T07:00:00.000', status: {} },
      ],
    }),
  },
  grants: [...ANY_OR_KEY, LIST_EVENTS],
})

export async function start() {
  const app = await makeCounts()
  return endpoint(route, app, query(countQuery), async ({ input, principal }) =>
    ok(await countEvents(app.events, withinScope(principal, input), app.clock.now())),
  )
}
