import { makeOperators } from '../../lib/app/operators.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { detailOf, findEvent, itemsOf } from '../../lib/webhooks/detail.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEvent', app, async ({ parameters }) => {
  const event = await findEvent(app.events, parameters)
  return ok(detailOf(event, await itemsOf(app.events, event)))
})
