import type { About } from './about.ts'
import { ANY_CREDENTIALS, FORGET_PASSKEYS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'DELETE', on: 'User' } },
  audit: { action: 'user.deleted', target: 'user' },
} as const satisfies Route

export const sampleRequest = { parameters: { userId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Delete a user of the database',
    description: 'You cannot delete yourself or the last enabled admin.',
    refuses: ['USER_NOT_FOUND'],
    answers: {
      204: { description: 'The user, the sessions and the passkeys are deleted.' },
    },
    grants: [
      ...ANY_CREDENTIALS,
      FORGET_PASSKEYS,
      { UsersTable: ['ConditionCheckItem', 'DeleteItem', 'GetItem'], 'UsersTable/index/byName': ['Query'] },
    ],
  }) as const satisfies About
