import * as z from 'zod/mini'
import { makePayloadDeletion } from '../../lib/app/operators.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, each, MOVE_DELIVERIES, PUBLISH, WAIT } from '../../lib/contract/grants.ts'
import { closed, flag } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { deletePayload } from '../../lib/webhooks/retention/payloads.ts'

export const route = {
  method: 'DELETE',
  path: '/api/webhooks/events/{source}/{eventId}/payload',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'payload.deleted', target: 'event', names: ['force'] },
} as const satisfies Route

/** How to delete a payload; by force, even if a run or a delivery still needs it: that ends. */
const payloadDeletion = closed({ force: z._default(flag(), false) })

/** What goes with the payload, and ends the work that needs it. */
const CONTENT = 'coding errorMessage eventType headers leaseUntil owner payload payloadParts partsOf summary'

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Delete the payload of a webhook event',
  description:
    'Deletes it with its headers. The event stays, so that a copy of it is still a duplicate. While an attempt or a delivery waits or runs, the answer is 409. `force=true` ends these, the event as dead.',
  reads: { query: payloadDeletion },
  refuses: ['EVENT_NOT_FOUND', 'EVENT_UNDER_WAY'],
  sample: { parameters: { source: 'payment', eventId: 'playground' }, granted: 404 },
  answers: {
    204: { description: 'It is deleted.' },
  },
  grants: [
    ...ANY_CREDENTIALS,
    {
      DeliveriesTable: ['Query', ...MOVE_DELIVERIES],
      EventsTable: ['BatchWriteItem:eventId', 'GetItem', ...each('UpdateItem', `${WAIT} ${CONTENT}`)],
    },
    PUBLISH,
  ],
})

export async function start() {
  const app = await makePayloadDeletion()
  return endpoint(route, app, query(payloadDeletion), async ({ parameters, principal, input }) => {
    await deletePayload(app, parameters, { user: principal.username, isForced: input.force })
    return noContent()
  })
}
