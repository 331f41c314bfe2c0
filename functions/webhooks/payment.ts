import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed, webhookResponse } from '../../lib/http/webhook-call.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'

const app = await makeWebhooks([payments()])

export const handler = endpoint('webhookPayment', app, signed(paymentSource, app.intake), async ({ input }) =>
  webhookResponse(await app.inbox.accept(paymentSource, input), app.clock.now()),
)
