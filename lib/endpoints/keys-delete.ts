import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/keys/{id}',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'key.deleted', target: 'key' },
} as const satisfies Route

export const sampleRequest = { parameters: { id: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Keys',
    summary: 'Delete an API key',
    description: 'The key stops working everywhere within 60 seconds.',
    refuses: ['KEY_NOT_FOUND'],
    answers: {
      204: { description: 'The key is deleted.' },
    },
    grants: [...ANY_CREDENTIALS, { KeysTable: ['DeleteItem', 'GetItem'] }],
  }) as const satisfies About
