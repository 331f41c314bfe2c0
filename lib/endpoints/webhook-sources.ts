import * as z from 'zod'
import { jsonContent, webhookSource } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_OR_KEY, WEBHOOK_SECRETS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/sources',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the sources of webhooks',
    description: 'By name: configured sources, sources with a secret, and sources of the last 400 days.',
    answers: {
      200: {
        description: 'All sources that the caller may read.',
        example: {
          sources: [
            {
              source: 'shop',
              configured: true,
              hasSecret: true,
              lastReceivedAt: '2026-11-21T07:00:00.000',
              expectEvery: '2h',
              silent: true,
              refusedOnly: true,
            },
            {
              source: 'zoom',
              configured: false,
              hasSecret: true,
              lastReceivedAt: null,
              expectEvery: null,
              silent: false,
              refusedOnly: false,
            },
          ],
        },
        content: jsonContent(z.strictObject({ sources: z.array(webhookSource) }).meta({ id: 'WebhookSourceList' })),
      },
    },
    grants: [...ANY_OR_KEY, WEBHOOK_SECRETS, { RefusalsTable: ['Query'] }],
  }) as const satisfies About
