import { makeOrders } from '../../lib/app/operators.ts'
import { orderQuery } from '../../lib/contract/requests/changed-query.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listOrders } from '../../lib/webhooks/operators/changed.ts'

const app = await makeOrders()

export const handler = endpoint('orders', app, query(orderQuery), async ({ input }) =>
  ok(await listOrders(app.orders, input)),
)
