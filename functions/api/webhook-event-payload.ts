import * as z from 'zod'
import { makeOperators } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_OR_KEY } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { attachment } from '../../lib/http/served-file.ts'
import { auditRead } from '../../lib/webhooks/audit.ts'
import { findEvent, payloadOf } from '../../lib/webhooks/detail.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}/payload',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
  audit: { action: 'payload.read', target: 'event' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Get the complete payload of a webhook event',
  description: 'The answer has the content type from the sender and is a download: browsers neither show nor run it.',
  refuses: ['EVENT_NOT_FOUND', 'PAYLOAD_DELETED'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, granted: 404 },
  answers: {
    200: {
      description: 'The received bytes.',
      headers: ['disposition', 'policy'],
      content: { '*/*': z.string().meta({ format: 'binary', description: 'The body, byte for byte.' }) },
    },
  },
  grants: [...ANY_OR_KEY, { EventsTable: ['BatchGetItem', 'GetItem'] }],
})

export async function start() {
  const app = await makeOperators()
  return endpoint(route, app, async ({ parameters, principal }) => {
    const event = await findEvent(app.events, readable(principal, parameters))
    const bytes = payloadOf(event)
    auditRead(app.audit, event, principal.username)
    const { source, eventId, headers } = event
    return attachment({ bytes, type: headers['content-type'], name: `${source}-${eventId}` })
  })
}
