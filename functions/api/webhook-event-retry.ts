import { makeManualRetry } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { record } from '../../lib/contract/answers/events.ts'
import { EVENT } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, each, ORDER } from '../../lib/contract/grants.ts'
import { retryCommand } from '../../lib/contract/requests/command.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'
import { recordOf } from '../../lib/webhooks/detail.ts'
import { retryNow } from '../../lib/webhooks/operators/reset.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/retry',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'event.retried', target: 'event', names: ['reason'] },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Retry a failed event',
  description: 'Its attempts start from zero.',
  reads: { json: retryCommand },
  bodyExample: { reason: 'the shop is open again' },
  isBodyOptional: true,
  refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_FAILED', 'PAYLOAD_MISSING'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, json: { reason: 'playground' }, granted: 404 },
  answers: {
    202: jsonAnswer('It will be retried at once.', record, {
      ...EVENT,
      status: 'FAILED',
      processedAt: null,
      nextRetryAt: EVENT.receivedAt,
      errorMessage: 'Order',
    }),
  },
  grants: [...ANY_CREDENTIALS, { EventsTable: ['GetItem', ...each('UpdateItem', ORDER)], RetryQueue: ['SendMessage'] }],
})

export async function start() {
  const app = await makeManualRetry()
  return endpoint(
    route,
    app,
    json(retryCommand, { absent: {} }),
    async ({ parameters, principal: { username: user, uid: orderedBy }, input: { reason } }) =>
      accepted(recordOf(await retryNow(app, parameters, { user, orderedBy, reason }))),
  )
}
