import { orders, payments } from '../../lib/app/processing.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { plainText } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { challenged } from '../../lib/http/provider-call.ts'

const sources = teamSources()
const app = await makeWebhooks([payments(), orders()], sources)

export const handler = endpoint('webhookChallenge', app, challenged(app.intake, sources), ({ input }) =>
  plainText(input),
)
