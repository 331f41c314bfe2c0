import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { acknowledgeStored } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed } from '../../lib/http/signed-body.ts'
import { provider } from '../../lib/webhooks/providers/github.ts'

const app = await makeWebhooks([])

export const handler = endpoint('webhookGithub', app, signed(provider, app.intake), ({ input }) =>
  acknowledgeStored(app.inbox.accept(provider, input)),
)
