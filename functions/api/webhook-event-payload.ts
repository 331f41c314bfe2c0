import { makeOperators } from '../../lib/app/operators.ts'
import { attachment } from '../../lib/http/attachment.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { findEvent } from '../../lib/webhooks/detail.ts'

const app = await makeOperators()

export const handler = endpoint('webhookEventPayload', app, async ({ parameters }) => {
  const { source, eventId, payload, headers } = await findEvent(app.events, parameters)
  return attachment({ bytes: payload, type: headers['content-type'], name: `${source}-${eventId}` })
})
