import { orders, payments } from '../../lib/app/processing.ts'
import { rotatingKeys } from '../../lib/app/rotating-keys.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'

const sources = teamSources()
const app = await makeWebhooks([payments(), orders()], sources)
const intake = { ...app.intake, keys: rotatingKeys(app.metrics) }

export const handler = endpoint('webhookProvider', app, signedByName(intake, sources), ({ input }) =>
  answer(input, app.inbox, app.clock),
)
