import { jsonContent, userListSchema } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DIRECTORY, FAILURES, RECORD } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/ldap/users',
  access: 'authenticated',
  credentials: 'directory',
  profile: 'ldap',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List the users of the directory',
    answers: {
      200: {
        description: 'All users for an admin, only the caller for a user.',
        example: {
          message: 'LDAP Authentication Demo',
          user: 'ldapuser',
          users: [{ username: 'ldapuser', roles: ['ROLE_USER'], enabled: true }],
        },
        content: jsonContent(userListSchema),
      },
    },
    grants: [DIRECTORY, FAILURES, RECORD],
  }) as const satisfies About
