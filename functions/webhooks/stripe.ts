import * as z from 'zod'
import { payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import type { About } from '../../lib/contract/about.ts'
import { textContent } from '../../lib/contract/answers/shapes.ts'
import { DUPLICATE, KEPT } from '../../lib/contract/examples.ts'
import { INTAKE, PAYMENTS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { acknowledgeStored, signed } from '../../lib/http/webhook-call.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { provider } from '../../lib/webhooks/providers/stripe.ts'
import { exampleOf } from '../../lib/webhooks/sample.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/stripe',
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Webhooks',
  summary: 'Receive an event from Stripe',
  description: `${KEPT} ${DUPLICATE}`,
  reads: { signed: 'stripe' },
  bodyExample: exampleOf(SAMPLES.stripe),
  answers: {
    200: {
      description: 'It is stored.',
      example: 'Webhook received',
      content: textContent(z.literal('Webhook received')),
    },
  },
  grants: [...INTAKE, PAYMENTS],
})

export async function start() {
  const app = await makeWebhooks([payments()])
  return endpoint(route, app, signed(provider, app.intake), ({ input }) =>
    acknowledgeStored(app.inbox.accept(provider, input)),
  )
}
