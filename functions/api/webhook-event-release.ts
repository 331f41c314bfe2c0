import { makeRelease } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { record } from '../../lib/contract/answers/events.ts'
import { EVENT } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, each, ORDER, STORE_DELIVERIES } from '../../lib/contract/grants.ts'
import { retryCommand } from '../../lib/contract/requests/command.ts'
import type { Route } from '../../lib/contract/route.ts'
import { releaseNow } from '../../lib/deliver/operators/release.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'
import { recordOf } from '../../lib/webhooks/detail.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/events/{source}/{eventId}/release',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'event.released', target: 'event', names: ['reason'] },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Release a held event',
  description: 'It is processed and delivered as if it had just been accepted. Its marks stay.',
  reads: { json: retryCommand },
  bodyExample: { reason: 'the shop sent it twice' },
  isBodyOptional: true,
  refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_HELD', 'PAYLOAD_MISSING'],
  sample: { parameters: { source: 'shopify', eventId: 'playground' }, json: { reason: 'playground' }, granted: 404 },
  answers: {
    202: jsonAnswer('It will be processed at once.', record, {
      ...EVENT,
      status: 'RECEIVED',
      processedAt: null,
      possibleDuplicateOf: 'evt-0',
    }),
  },
  grants: [
    ...ANY_CREDENTIALS,
    {
      EventsTable: ['BatchGetItem', 'GetItem', ...each('UpdateItem', `${ORDER} held outcome`)],
      RetryQueue: ['SendMessage'],
    },
    { DeliveriesTable: ['Query', ...STORE_DELIVERIES] },
  ],
})

export async function start() {
  const app = await makeRelease()
  return endpoint(
    route,
    app,
    json(retryCommand, { absent: {} }),
    async ({ parameters, principal: { username: user, uid: orderedBy }, input: { reason } }) =>
      accepted(recordOf(await releaseNow(app, parameters, { user, orderedBy, reason }))),
  )
}
