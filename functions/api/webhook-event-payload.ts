import { makeOperators } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { attachment } from '../../lib/http/served-file.ts'
import { auditRead } from '../../lib/webhooks/audit.ts'
import { findEvent, payloadOf } from '../../lib/webhooks/detail.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEventPayload', app, async ({ parameters, principal }) => {
  const event = await findEvent(app.events, readable(principal, parameters))
  const bytes = payloadOf(event)
  auditRead(app.audit, event, principal.username)
  const { source, eventId, headers } = event
  return attachment({ bytes, type: headers['content-type'], name: `${source}-${eventId}` })
})
