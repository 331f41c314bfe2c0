import { makeReplayList } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { replayPage } from '../../lib/contract/answers/deliveries.ts'
import { ORDERED_REPLAY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED } from '../../lib/contract/grants.ts'
import { closed, page } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listReplays } from '../../lib/webhooks/operators/replay.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/replays',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

const replayQuery = closed(page())

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List replays',
  description: 'Last accepted first.',
  reads: { query: replayQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', replayPage, { replays: [ORDERED_REPLAY], nextCursor: null }) },
  grants: [
    ...ANY_CREDENTIALS,
    COUNT_REPLAYED,
    {
      'DeliveriesTable/index/byReplay': ['Query'],
      ReplaysTable: ['BatchGetItem'],
      'ReplaysTable/index/byTime': ['Query'],
    },
  ],
})

export async function start() {
  const app = await makeReplayList()
  return endpoint(route, app, query(replayQuery), async ({ input }) => ok(await listReplays(app, input)))
}
