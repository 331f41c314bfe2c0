import { makeDatabase } from '../../lib/app/basic.ts'
import { userList } from '../../lib/auth/directory.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { userListSchema } from '../../lib/contract/answers/accounts.ts'
import { LIST_USERS, PASSWORD } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/jdbc/users',
  access: 'authenticated',
  credentials: 'database',
  profile: 'jdbc',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the users of the database',
  answers: {
    200: jsonAnswer('All users for an admin, only the caller for a user.', userListSchema, {
      message: 'JDBC Authentication Demo',
      user: 'jdbcuser',
      users: [{ username: 'jdbcuser', roles: ['ROLE_USER'], enabled: true }],
    }),
  },
  grants: [...PASSWORD, LIST_USERS],
})

export function start() {
  const app = makeDatabase()
  return endpoint(route, app, async ({ principal }) =>
    ok(
      await userList('JDBC Authentication Demo', principal, async (limit) => {
        const { users, next } = await app.users.page(limit)
        return { users, isWhole: next === undefined }
      }),
    ),
  )
}
