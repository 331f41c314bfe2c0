import { makeOperators } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/scope.ts'
import { attachment } from '../../lib/http/attachment.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { auditRead } from '../../lib/webhooks/audit.ts'
import { findEvent } from '../../lib/webhooks/detail.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEventPayload', app, async ({ parameters, principal }) => {
  const event = await findEvent(app.events, readable(principal, parameters))
  auditRead(app.audit, event, principal.username)
  const { source, eventId, payload, headers } = event
  return attachment({ bytes: payload, type: headers['content-type'], name: `${source}-${eventId}` })
})
