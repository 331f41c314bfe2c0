import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { acknowledgeStored, signed } from '../../lib/http/webhook-call.ts'
import { provider } from '../../lib/webhooks/providers/stripe.ts'

const app = await makeWebhooks([payments()])

export const handler = endpoint('webhookStripe', app, signed(provider, app.intake), ({ input }) =>
  acknowledgeStored(app.inbox.accept(provider, input)),
)
