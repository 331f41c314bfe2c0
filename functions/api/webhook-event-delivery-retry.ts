import { makeRedelivery } from '../../lib/app/operators.ts'
import { retryCommand } from '../../lib/contract/requests/retry-command.ts'
import { redeliver } from '../../lib/deliver/operators/order.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'

const app = await makeRedelivery()

export const handler = endpoint(
  'webhookEventDeliveryRetry',
  app,
  json(retryCommand, { absent: {} }),
  async ({ parameters, principal, input }) =>
    accepted(await redeliver(app, parameters, { user: principal.username, reason: input.reason })),
)
