import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { acknowledgeStored } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed } from '../../lib/http/signed-body.ts'
import { provider } from '../../lib/webhooks/providers/stripe.ts'

const app = await makeWebhooks([payments()])

export const handler = endpoint('webhookStripe', app, signed(provider, app.intake), ({ input }) =>
  acknowledgeStored(app.inbox.accept(provider, input)),
)
