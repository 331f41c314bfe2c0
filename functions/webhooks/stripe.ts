import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { webhookReceived } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed } from '../../lib/http/signed-body.ts'
import { provider } from '../../lib/webhooks/providers/stripe.ts'

const app = await makeWebhooks([payments()])

export const handler = endpoint('webhookStripe', app, signed(provider, app.intake), async ({ input }) => {
  await app.inbox.accept(provider, input)
  return webhookReceived()
})
