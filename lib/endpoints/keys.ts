import * as z from 'zod'
import { apiKey } from '../contract/key-schemas.ts'
import { keyPage } from '../contract/requests/key-page.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { API_KEY } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/keys',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Keys',
    summary: 'List API keys',
    description: 'Newest first. An expired key is listed for another 30 days.',
    reads: { query: keyPage },
    answers: {
      200: {
        description: 'One page.',
        example: { keys: [API_KEY], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ keys: z.array(apiKey).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'ApiKeyList' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { KeysTable: ['Query'] }],
  }) as const satisfies About
