import { app } from '../../lib/app/order-webhooks.ts'
import { webhookResponse } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed } from '../../lib/http/signed-body.ts'
import { orderStatusSource } from '../../lib/webhooks/sources/order-status.ts'

export const handler = endpoint('webhookOrderStatus', app, signed(orderStatusSource, app.intake), async ({ input }) =>
  webhookResponse(await app.inbox.accept(orderStatusSource, input), app.clock.now()),
)
