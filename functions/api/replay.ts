import { makeReplays } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { replay } from '../../lib/contract/answers/deliveries.ts'
import { REPLAY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findReplay } from '../../lib/webhooks/operators/replay.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/replays/{replayId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Show the progress of a replay',
  refuses: ['REPLAY_NOT_FOUND'],
  sample: { parameters: { replayId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('The progress.', replay, { ...REPLAY, state: 'DONE', done: 199, failed: 1 }) },
  grants: [
    ...ANY_CREDENTIALS,
    COUNT_REPLAYED,
    { 'DeliveriesTable/index/byReplay': ['Query'], ReplaysTable: ['GetItem'] },
  ],
})

export async function start() {
  const app = await makeReplays()
  return endpoint(route, app, async ({ parameters }) => ok(await findReplay(app, parameters['replayId'] ?? '')))
}
