import { makeOperators } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { auditRead } from '../../lib/webhooks/audit.ts'
import { detailOf, findEvent, itemsOf } from '../../lib/webhooks/detail.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEvent', app, async ({ parameters, principal }) => {
  const event = await findEvent(app.events, readable(principal, parameters))
  auditRead(app.audit, event, principal.username)
  return ok(detailOf(event, await itemsOf(app.events, event)))
})
