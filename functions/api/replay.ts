import { makeReplays } from '../../lib/app/operators.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findReplay } from '../../lib/webhooks/operators/replay.ts'

const app = await makeReplays()

export const handler = endpoint('replay', app, async ({ parameters }) =>
  ok(await findReplay(app, parameters['replayId'] ?? '')),
)
