import { makeSwitchDestination } from '../../lib/app/operators.ts'
import { retryCommand } from '../../lib/contract/requests/retry-command.ts'
import { enableDestination } from '../../lib/deliver/operators/circuit.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeSwitchDestination()

export const handler = endpoint(
  'destinationEnable',
  app,
  json(retryCommand, { absent: {} }),
  async ({ parameters, principal, input }) =>
    ok(await enableDestination(app, parameters['name'], { user: principal.username, reason: input.reason })),
)
