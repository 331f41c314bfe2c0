import * as z from 'zod'
import { orders, payments } from '../../lib/app/processing.ts'
import { rotatingKeys, setups } from '../../lib/app/rotating-keys.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import type { About } from '../../lib/contract/about.ts'
import { webhookAccepted } from '../../lib/contract/answers/events.ts'
import { jsonContent, textContent } from '../../lib/contract/answers/shapes.ts'
import { DUPLICATE, KEPT } from '../../lib/contract/examples.ts'
import { each, INTAKE, ORDERS, PAYMENTS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'
import type { Provider } from '../../lib/webhooks/provider.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { exampleOf } from '../../lib/webhooks/sample.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/{provider}',
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Webhooks',
  summary: 'Receive an event from any provider',
  description: `Each provider has its own scheme; every other name has the generic one. ${KEPT} ${DUPLICATE}\n\n| provider | header |\n|---|---|\n${headers()}`,
  reads: { signed: 'any provider' },
  bodyExample: exampleOf(SAMPLES.shopify),
  // Names in another case lead here, too: `/webhooks/Payment`.
  refuses: ['VALIDATION_FAILED', 'PROCESSING_FAILED'],
  answers: {
    200: {
      description: 'It is stored, or the handshake of the provider is answered.',
      examples: {
        'application/json': { challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' },
        'text/plain': 'Webhook received',
      },
      content: {
        ...jsonContent(
          z.union([
            webhookAccepted,
            z.strictObject({ challenge: z.string() }).meta({ id: 'SlackHandshake' }),
            z.strictObject({ plainToken: z.string(), encryptedToken: z.hex() }).meta({ id: 'ZoomHandshake' }),
            z.strictObject({ type: z.literal(1) }).meta({ id: 'DiscordHandshake' }),
            z.strictObject({}).meta({ id: 'SupabaseAcknowledgement' }),
            z.strictObject({ validationResponse: z.string() }).meta({ id: 'EventGridHandshake' }),
          ]),
        ),
        ...textContent(
          z.union([
            z.enum(['Webhook received', '[accepted]', '']),
            z.string().meta({ id: 'TwitchHandshake', description: 'The challenge.' }),
            z.string().max(1024).meta({ id: 'MicrosoftGraphHandshake' }),
          ]),
        ),
      },
    },
    204: { description: 'The handshake of the provider is answered.' },
  },
  grants: [
    ...INTAKE,
    { RefusalsTable: ['GetItem', ...each('UpdateItem', 'at from state token until')] },
    PAYMENTS,
    ORDERS,
  ],
})

/** Where each provider puts its proof. */
function headers(): string {
  const rows = Object.entries<Pick<Provider, 'scheme'>>(PROVIDERS).map(([name, { scheme }]) => {
    const { header } = SAMPLES[name as keyof typeof SAMPLES].described
    return `| ${name} | ${scheme.header ?? header.toLowerCase()} |`
  })
  return rows.join('\n')
}

export async function start() {
  const sources = teamSources()
  const app = await makeWebhooks([payments(), orders()], sources)
  const intake = { ...app.intake, keys: rotatingKeys(app.metrics), setups: setups() }
  return endpoint(route, app, signedByName(route, intake, sources), ({ input }) => answer(input, app.inbox, app.clock))
}
