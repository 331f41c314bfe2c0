import { makeReplayList } from '../../lib/app/operators.ts'
import { replayQuery } from '../../lib/contract/requests/replay-query.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listReplays } from '../../lib/webhooks/operators/replay.ts'

const app = await makeReplayList()

export const handler = endpoint('replays', app, query(replayQuery), async ({ input }) =>
  ok(await listReplays(app, input)),
)
