import { makePayments } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { paymentPage } from '../../lib/contract/answers/payments.ts'
import { PAYMENT } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { paymentQuery } from '../../lib/contract/requests/payments.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listPayments } from '../../lib/webhooks/operators/changed.ts'

export const route = { method: 'GET', path: '/api/payments', access: { role: 'ROLE_ADMIN' } } as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the payments from webhooks',
  description:
    'Last changed first. A payment that changes between two pages moves to the front. A page may hold fewer payments than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`. `transactionId` finds one, with any characters; `q` finds a part of any id.',
  reads: { query: paymentQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', paymentPage, { payments: [PAYMENT], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, { PaymentsTable: ['BatchGetItem', 'GetItem'], 'PaymentsTable/index/byTime': ['Query'] }],
})

export async function start() {
  const app = await makePayments()
  return endpoint(route, app, query(paymentQuery), async ({ input }) => ok(await listPayments(app.payments, input)))
}
