import { makeSwitchDestination } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { destination } from '../../lib/contract/answers/deliveries.ts'
import { DESTINATION } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, HEALTH } from '../../lib/contract/grants.ts'
import { retryCommand } from '../../lib/contract/requests/command.ts'
import type { Route } from '../../lib/contract/route.ts'
import { disableDestination } from '../../lib/deliver/operators/circuit.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'POST',
  path: '/api/destinations/{name}/disable',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'destination.disabled', target: 'destination', names: ['reason'] },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Disable a destination',
  description: 'Deliveries of later events wait until it is enabled.',
  reads: { json: retryCommand },
  bodyExample: { reason: 'the shop is closed' },
  isBodyOptional: true,
  refuses: ['DESTINATION_NOT_FOUND'],
  sample: { parameters: { name: 'playground' }, json: { reason: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('It is disabled.', destination, {
      ...DESTINATION,
      state: 'DISABLED',
      since: '2026-11-21T07:00:00.000',
      by: 'admin',
      reason: 'moving house',
    }),
  },
  grants: [...ANY_CREDENTIALS, { DeliveriesTable: ['GetItem', ...HEALTH], 'DeliveriesTable/index/due': ['Query'] }],
})

export async function start() {
  const app = await makeSwitchDestination()
  return endpoint(route, app, json(retryCommand, { absent: {} }), async ({ parameters, principal, input }) =>
    ok(await disableDestination(app, parameters['name'], { user: principal.username, reason: input.reason })),
  )
}
