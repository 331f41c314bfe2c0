import type { About } from './about.ts'
import { READ_PASSKEYS, RECORD, SESSION } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/passkeys/{id}',
  access: 'authenticated',
  credentials: 'session',
  audit: { action: 'passkey.deleted', target: 'passkey' },
} as const satisfies Route

export const sampleRequest = { parameters: { id: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Passkeys',
    summary: 'Remove one of your passkeys',
    description: 'It logs nobody in from then on. Sessions that began with it continue.',
    refuses: ['PASSKEY_NOT_FOUND'],
    answers: { 204: { description: 'The passkey is gone.' } },
    grants: [...SESSION, RECORD, READ_PASSKEYS, { PasskeysTable: ['UpdateItem'] }],
  }) as const satisfies About
