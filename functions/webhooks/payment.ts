import { app } from '../../lib/app/payment-webhooks.ts'
import { webhookResponse } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed } from '../../lib/http/signed-body.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'

export const handler = endpoint('webhookPayment', app, signed(paymentSource, app.intake), async ({ input }) =>
  webhookResponse(await app.inbox.accept(paymentSource, input), app.clock.now()),
)
