import { makeOrders } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { orderPage } from '../../lib/contract/answers/payments.ts'
import { ORDER } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { orderQuery } from '../../lib/contract/requests/payments.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listOrders } from '../../lib/webhooks/operators/changed.ts'

export const route = { method: 'GET', path: '/api/orders', access: { role: 'ROLE_ADMIN' } } as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the orders from webhooks',
  description:
    'Last changed first. An order that changes between two pages moves to the front. A page may hold fewer orders than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`. `orderId` finds one, with any characters; `q` finds a part of it.',
  reads: { query: orderQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', orderPage, { orders: [ORDER], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, { OrdersTable: ['BatchGetItem', 'GetItem'], 'OrdersTable/index/byTime': ['Query'] }],
})

export async function start() {
  const app = await makeOrders()
  return endpoint(route, app, query(orderQuery), async ({ input }) => ok(await listOrders(app.orders, input)))
}
