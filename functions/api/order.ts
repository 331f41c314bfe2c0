import { makeOrders } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { madeOrder } from '../../lib/contract/answers/payments.ts'
import { ORDER } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findOrder } from '../../lib/webhooks/operators/changed.ts'

export const route = {
  method: 'GET',
  path: '/api/orders/{orderId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Show an order and its webhook events',
  description:
    'The id cannot contain a slash, not even as `%2F`. Use `GET /api/orders?orderId=` for such an id, and for `.` and `..`.',
  refuses: ['ORDER_NOT_FOUND'],
  sample: { parameters: { orderId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('The present state.', madeOrder, ORDER) },
  grants: [...ANY_CREDENTIALS, { OrdersTable: ['GetItem'] }],
})

export async function start() {
  const app = await makeOrders()
  return endpoint(route, app, async ({ parameters }) => ok(await findOrder(app.orders, parameters['orderId'] ?? '')))
}
