import { makeOperators } from '../../lib/app/operators.ts'
import { readable } from '../../lib/auth/keys/api-key.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { eventDetail } from '../../lib/contract/answers/events.ts'
import { EVENT } from '../../lib/contract/examples.ts'
import { ANY_OR_KEY } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { auditRead } from '../../lib/webhooks/audit.ts'
import { detailOf, findEvent, itemsOf } from '../../lib/webhooks/detail.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
  audit: { action: 'payload.read', target: 'event' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Show one webhook event',
  refuses: ['EVENT_NOT_FOUND'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('The event with payload, headers and history.', eventDetail, {
      ...EVENT,
      payload: '{"eventId":"evt-1"}',
      payloadEncoding: 'utf8',
      payloadTruncated: false,
      payloadBytes: 19,
      payloadDeletedAt: null,
      headers: { 'content-type': 'application/json' },
      history: [{ at: '2026-11-21T07:00:00.000', status: 'PROCESSED', by: 'intake', error: null }],
      items: [],
    }),
  },
  grants: [...ANY_OR_KEY, { EventsTable: ['BatchGetItem', 'GetItem'] }],
})

export async function start() {
  const app = await makeOperators()
  return endpoint(route, app, async ({ parameters, principal }) => {
    const event = await findEvent(app.events, readable(principal, parameters))
    auditRead(app.audit, event, principal.username)
    return ok(detailOf(event, await itemsOf(app.events, event)))
  })
}
