import * as z from 'zod'
import { jsonContent, textContent, webhookAccepted } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DUPLICATE, KEPT } from './examples.ts'
import { INTAKE, ORDERS, PAYMENTS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/{provider}',
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Webhooks',
    summary: 'Receive an event from any provider',
    description: `Each provider has its own scheme; every other name has the generic one. ${KEPT} ${DUPLICATE}`,
    reads: { signed: 'any provider' },
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
    grants: [...INTAKE, { RefusalsTable: ['GetItem'] }, PAYMENTS, ORDERS],
  }) as const satisfies About
