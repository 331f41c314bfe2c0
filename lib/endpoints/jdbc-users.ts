import { jsonContent, userListSchema } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { PASSWORD } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/jdbc/users',
  access: 'authenticated',
  credentials: 'database',
  profile: 'jdbc',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List the users of the database',
    answers: {
      200: {
        description: 'All users for an admin, only the caller for a user.',
        example: {
          message: 'JDBC Authentication Demo',
          user: 'jdbcuser',
          users: [{ username: 'jdbcuser', roles: ['ROLE_USER'], enabled: true }],
        },
        content: jsonContent(userListSchema),
      },
    },
    grants: [...PASSWORD, { UsersTable: ['BatchGetItem'], 'UsersTable/index/byName': ['Query'] }],
  }) as const satisfies About
