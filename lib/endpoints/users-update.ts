import { changedUser } from '../contract/requests/changed-user.ts'
import { jsonContent } from '../contract/schemas.ts'
import { userRecord } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { USER } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'PATCH',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'UPDATE', on: 'User' } },
  audit: { action: 'user.changed', target: 'user', names: ['role', 'enabled'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { userId: 'playground' },
  json: {},
  granted: 400,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Change a user of the database',
    description:
      'Ends all sessions and tokens of the user. The last enabled admin keeps role and account. Set your own password at `/api/account/password`, not here.',
    reads: { json: changedUser },
    bodyExample: { role: 'ROLE_USER', enabled: true },
    refuses: ['USER_NOT_FOUND'],
    answers: { 200: { description: 'The changed user.', example: USER, content: jsonContent(userRecord) } },
    grants: [
      ...ANY_CREDENTIALS,
      { UsersTable: ['ConditionCheckItem', 'GetItem', 'UpdateItem'], 'UsersTable/index/byName': ['Query'] },
    ],
  }) as const satisfies About
