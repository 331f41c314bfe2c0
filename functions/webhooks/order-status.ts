import { orders } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed, webhookResponse } from '../../lib/http/webhook-call.ts'
import { orderStatusSource } from '../../lib/webhooks/sources/order-status.ts'

const app = await makeWebhooks([orders()])

export const handler = endpoint('webhookOrderStatus', app, signed(orderStatusSource, app.intake), async ({ input }) =>
  webhookResponse(await app.inbox.accept(orderStatusSource, input), app.clock.now()),
)
