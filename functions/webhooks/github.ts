import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { acknowledgeStored, signed } from '../../lib/http/webhook-call.ts'
import { provider } from '../../lib/webhooks/providers/github.ts'

const app = await makeWebhooks([])

export const handler = endpoint('webhookGithub', app, signed(provider, app.intake), ({ input }) =>
  acknowledgeStored(app.inbox.accept(provider, input)),
)
