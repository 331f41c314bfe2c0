import { makeDeliveryList } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import { listDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeDeliveryList()

export const handler = endpoint('webhookEventDeliveries', app, async ({ parameters, principal }) =>
  ok({ deliveries: await listDeliveries(app, readable(principal, parameters)) }),
)
