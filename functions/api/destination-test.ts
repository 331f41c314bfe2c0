import { makeDestinationTest } from '../../lib/app/destination-test.ts'
import { testDestination } from '../../lib/deliver/operators/test.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeDestinationTest()

export const handler = endpoint('destinationTest', app, async ({ parameters }) =>
  ok(await testDestination(app, parameters['name'])),
)
