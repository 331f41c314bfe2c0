import { makeRefusals } from '../../lib/app/operators.ts'
import { refusalQuery } from '../../lib/contract/requests/refusal-query.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listRefusals } from '../../lib/webhooks/refusals/list.ts'

const app = await makeRefusals()

export const handler = endpoint('webhookRefusals', app, query(refusalQuery), async ({ input }) =>
  ok(await listRefusals(app.list, input, app.clock.now(), app.isLowerBound)),
)
