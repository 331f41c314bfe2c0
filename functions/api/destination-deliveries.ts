import { makeDestinationDeliveries } from '../../lib/app/operators.ts'
import { deliveryQuery, REPEATABLE } from '../../lib/contract/requests/delivery-query.ts'
import { listDestinationDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'

const app = await makeDestinationDeliveries()

export const handler = endpoint(
  'destinationDeliveries',
  app,
  query(deliveryQuery, REPEATABLE),
  async ({ parameters, input }) => ok(await listDestinationDeliveries(app, parameters['name'], input)),
)
