import { makePayments } from '../../lib/app/operators.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findPayment } from '../../lib/webhooks/operators/changed.ts'

const app = await makePayments()

export const handler = endpoint('payment', app, async ({ parameters }) =>
  ok(await findPayment(app.payments, parameters['transactionId'] ?? '')),
)
