import * as z from 'zod'
import { textContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DUPLICATE, KEPT } from './examples.ts'
import { INTAKE, PAYMENTS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/stripe',
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Webhooks',
    summary: 'Receive an event from Stripe',
    description: `${KEPT} ${DUPLICATE}`,
    reads: { signed: 'stripe' },
    answers: {
      200: {
        description: 'It is stored.',
        example: 'Webhook received',
        content: textContent(z.literal('Webhook received')),
      },
    },
    grants: [...INTAKE, PAYMENTS],
  }) as const satisfies About
