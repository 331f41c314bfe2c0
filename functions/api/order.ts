import { makeOrders } from '../../lib/app/operators.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findOrder } from '../../lib/webhooks/operators/changed.ts'

const app = await makeOrders()

export const handler = endpoint('order', app, async ({ parameters }) =>
  ok(await findOrder(app.orders, parameters['orderId'] ?? '')),
)
