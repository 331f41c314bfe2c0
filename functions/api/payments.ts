import { makePayments } from '../../lib/app/operators.ts'
import { paymentQuery } from '../../lib/contract/requests/changed-query.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listPayments } from '../../lib/webhooks/operators/changed.ts'

const app = await makePayments()

export const handler = endpoint('payments', app, query(paymentQuery), async ({ input }) =>
  ok(await listPayments(app.payments, input)),
)
