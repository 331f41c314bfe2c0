import { newApiKey } from '../contract/key-schemas.ts'
import { newKey } from '../contract/requests/new-key.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { API_KEY } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/keys',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'key.created', names: ['sources'] },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Keys',
    summary: 'Create an API key',
    description: 'Only this answer contains the key itself: the service stores a hash.',
    reads: { json: newKey },
    bodyExample: { name: 'warehouse', sources: ['stripe'], expiresAt: '2027-11-21T07:00:00.000' },
    answers: {
      201: {
        description: 'The new key.',
        headers: ['location'],
        example: { ...API_KEY, lastUsedAt: null, key: `ghk_${API_KEY.id}_${'x'.repeat(43)}` },
        content: jsonContent(newApiKey),
      },
    },
    grants: [...ANY_CREDENTIALS, { KeysTable: ['PutItem'] }],
  }) as const satisfies About
