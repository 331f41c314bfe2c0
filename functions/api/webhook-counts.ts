import { makeCounts } from '../../lib/app/operators.ts'
import { withinScope } from '../../lib/auth/keys/api-key.ts'
import { countQuery } from '../../lib/contract/requests/count-query.ts'
import { REPEATABLE } from '../../lib/contract/requests/event-filter.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { countEvents } from '../../lib/webhooks/operators/counts.ts'

const app = await makeCounts()

export const handler = endpoint('webhookCounts', app, query(countQuery, REPEATABLE), async ({ input, principal }) =>
  ok(await countEvents(app.events, withinScope(principal, input), app.clock.now())),
)
