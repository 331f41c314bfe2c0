import { orders, payments } from '../../lib/app/processing.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'

const sources = teamSources()
const app = await makeWebhooks([payments(), orders()], sources)

export const handler = endpoint('webhookProvider', app, signedByName(app.intake, sources), ({ input }) =>
  answer(input, app.inbox, app.clock),
)
