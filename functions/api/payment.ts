import { makePayments } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { madePayment } from '../../lib/contract/answers/payments.ts'
import { PAYMENT } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findPayment } from '../../lib/webhooks/operators/changed.ts'

export const route = {
  method: 'GET',
  path: '/api/payments/{transactionId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Show a payment and its webhook events',
  description:
    'The id cannot contain a slash, not even as `%2F`. Use `GET /api/payments?transactionId=` for such an id, and for `.` and `..`.',
  refuses: ['PAYMENT_NOT_FOUND'],
  sample: { parameters: { transactionId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('The present state.', madePayment, PAYMENT) },
  grants: [...ANY_CREDENTIALS, { PaymentsTable: ['GetItem'] }],
})

export async function start() {
  const app = await makePayments()
  return endpoint(route, app, async ({ parameters }) =>
    ok(await findPayment(app.payments, parameters['transactionId'] ?? '')),
  )
}
