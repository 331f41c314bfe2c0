import { passkeyList } from '../contract/passkey-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { PASSKEY } from './examples.ts'
import { READ_PASSKEYS, SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/passkeys',
  access: 'authenticated',
  credentials: 'session',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Passkeys',
    summary: 'List your passkeys',
    answers: {
      200: {
        description: 'At most 10, the newest first.',
        example: { passkeys: [PASSKEY] },
        content: jsonContent(passkeyList),
      },
    },
    grants: [...SESSION, READ_PASSKEYS],
  }) as const satisfies About
