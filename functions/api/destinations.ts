import { makeDestinations } from '../../lib/app/operators.ts'
import { listDestinations } from '../../lib/deliver/operators/destinations.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeDestinations()

export const handler = endpoint('destinations', app, async () => ok({ destinations: await listDestinations(app) }))
