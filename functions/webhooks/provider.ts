import { app } from '../../lib/app/providers.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'

export const handler = endpoint('webhookProvider', app, signedByName(app.intake), ({ input }) =>
  answer(input, app.inbox, app.clock),
)
