import { jsonContent } from '../contract/schemas.ts'
import { userRecord } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { USER } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const sampleRequest = { parameters: { userId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Show a user of the database',
    refuses: ['USER_NOT_FOUND'],
    answers: { 200: { description: 'The user.', example: USER, content: jsonContent(userRecord) } },
    grants: [...ANY_CREDENTIALS, { UsersTable: ['GetItem'] }],
  }) as const satisfies About
