import * as z from 'zod'
import { newUser } from '../contract/requests/new-user.ts'
import { jsonContent, role } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/users',
  access: { role: 'ROLE_ADMIN', permission: { name: 'CREATE', on: 'User' } },
  audit: { action: 'user.created', names: ['role'] },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Create a user of the database',
    description:
      'In the profile `ldap` no login uses the database. The user can log in when the service runs in another profile.',
    reads: { json: newUser },
    bodyExample: { username: 'ada', password: 'correct horse battery staple', role: 'ROLE_USER' },
    refuses: ['USER_EXISTS'],
    answers: {
      201: {
        description: 'The new user.',
        headers: ['location'],
        example: { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', username: 'ada', role: 'ROLE_USER' },
        content: jsonContent(z.strictObject({ id: z.uuid(), username: z.string(), role }).meta({ id: 'User' })),
      },
    },
    grants: [...ANY_CREDENTIALS, { UsersTable: ['PutItem'] }],
  }) as const satisfies About
