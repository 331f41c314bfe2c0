import { makeManualRetry } from '../../lib/app/operators.ts'
import { retryCommand } from '../../lib/contract/requests/retry-command.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'
import { recordOf } from '../../lib/webhooks/detail.ts'
import { retryNow } from '../../lib/webhooks/operators/reset.ts'

const app = await makeManualRetry()

export const handler = endpoint(
  'webhookEventRetry',
  app,
  json(retryCommand, { absent: {} }),
  async ({ parameters, principal: { username: user, uid: orderedBy }, input: { reason } }) =>
    accepted(recordOf(await retryNow(app, parameters, { user, orderedBy, reason }))),
)
