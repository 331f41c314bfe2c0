import { orders, payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'
import { secretsReadable } from '../../lib/webhooks/readable-secrets.ts'

const app = await makeWebhooks([payments(), orders()], [secretsReadable])

export const handler = endpoint('webhookProvider', app, signedByName(app.intake), ({ input }) =>
  answer(input, app.inbox, app.clock),
)
