import { jsonContent, webhookAccepted } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ACCEPTED, DUPLICATE } from './examples.ts'
import { INTAKE, ORDERS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/order-status',
  access: 'signature',
  errors: 'webhook',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Webhooks',
    summary: 'Receive the status of an order',
    description: DUPLICATE,
    reads: { signed: 'generic' },
    refuses: ['CODING_UNSUPPORTED', 'VALIDATION_FAILED', 'PROCESSING_FAILED'],
    answers: {
      200: {
        description: 'It is stored, together with its effect.',
        example: ACCEPTED,
        content: jsonContent(webhookAccepted),
      },
    },
    grants: [...INTAKE, ORDERS],
  }) as const satisfies About
