import { makeDestinationTest } from '../../lib/app/destination-test.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { destinationTest } from '../../lib/contract/answers/deliveries.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { testDestination } from '../../lib/deliver/operators/test.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'POST',
  path: '/api/destinations/{name}/test',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'destination.tested', target: 'destination', isAlone: true },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Send a destination a test event',
  description:
    'Sends one sample event, `gatehouse.test` of the source `gatehouse`, at once and for at most 20 seconds. It is not stored, and its answer does not change the state of the destination.',
  refuses: ['DESTINATION_NOT_FOUND'],
  sample: { parameters: { name: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('The result, success or failure.', destinationTest, {
      delivered: true,
      answer: 'HTTP 200',
      durationMs: 214,
    }),
  },
  grants: ANY_CREDENTIALS,
})

export async function start() {
  const app = await makeDestinationTest()
  return endpoint(route, app, async ({ parameters }) => ok(await testDestination(app, parameters['name'])))
}
