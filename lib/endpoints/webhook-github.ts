import * as z from 'zod'
import { textContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DUPLICATE, KEPT } from './examples.ts'
import { INTAKE } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/github',
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Webhooks',
    summary: 'Receive an event from GitHub',
    description: `${KEPT} Only a call without an event name is refused. ${DUPLICATE}`,
    reads: { signed: 'github' },
    refuses: ['VALIDATION_FAILED'],
    answers: {
      200: {
        description: 'It is stored.',
        example: 'Webhook received',
        content: textContent(z.literal('Webhook received')),
      },
    },
    grants: INTAKE,
  }) as const satisfies About
