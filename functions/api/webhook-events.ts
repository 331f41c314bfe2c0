import { makeOperators } from '../../lib/app/operators.ts'
import { withinScope } from '../../lib/auth/keys/api-key.ts'
import { eventQuery, REPEATABLE } from '../../lib/contract/requests/event-filter.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listEvents, pageOf } from '../../lib/webhooks/operators/list.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEvents', app, query(eventQuery, REPEATABLE), async ({ input, principal }) =>
  ok(pageOf(await listEvents(app.list, withinScope(principal, input)))),
)
