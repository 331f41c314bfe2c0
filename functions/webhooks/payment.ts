import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { webhookAccepted } from '../../lib/contract/answers/events.ts'
import { ACCEPTED, DUPLICATE } from '../../lib/contract/examples.ts'
import { INTAKE, PAYMENTS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed, webhookResponse } from '../../lib/http/webhook-call.ts'
import { paymentPayload, paymentSource } from '../../lib/webhooks/sources/payment.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/payment',
  access: 'signature',
  errors: 'webhook',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Webhooks',
  summary: 'Receive a payment event',
  description: `A local run accepts it without a signature. ${DUPLICATE}`,
  reads: { signed: 'generic' },
  payload: paymentPayload,
  bodyExample: {
    eventId: 'evt-1',
    eventType: 'PAYMENT',
    transactionId: 'tx-1',
    orderId: 'order-1',
    status: 'COMPLETED',
    amount: '10.00',
    currency: 'EUR',
  },
  refuses: ['CODING_UNSUPPORTED', 'VALIDATION_FAILED', 'PROCESSING_FAILED'],
  answers: { 200: jsonAnswer('It is stored, together with its effect.', webhookAccepted, ACCEPTED) },
  grants: [...INTAKE, PAYMENTS],
})

export async function start() {
  const app = await makeWebhooks([payments()])
  return endpoint(route, app, signed(paymentSource, app.intake), async ({ input }) =>
    webhookResponse(await app.inbox.accept(paymentSource, input), app.clock.now()),
  )
}
