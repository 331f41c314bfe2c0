import { makeDeliveryList } from '../../lib/app/deliveries-desk.ts'
import { listDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeDeliveryList()

export const handler = endpoint('webhookEventDeliveries', app, async ({ parameters }) =>
  ok({ deliveries: await listDeliveries(app, parameters) }),
)
