import { makeDirectory } from '../../lib/app/ldap.ts'
import { userList } from '../../lib/auth/directory.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { userListSchema } from '../../lib/contract/answers/accounts.ts'
import { DIRECTORY, FAILURES, RECORD } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/ldap/users',
  access: 'authenticated',
  credentials: 'directory',
  profile: 'ldap',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the users of the directory',
  answers: {
    200: jsonAnswer('All users for an admin, only the caller for a user.', userListSchema, {
      message: 'LDAP Authentication Demo',
      user: 'ldapuser',
      users: [{ username: 'ldapuser', roles: ['ROLE_USER'], enabled: true }],
    }),
  },
  grants: [DIRECTORY, FAILURES, RECORD],
})

export async function start() {
  const app = await makeDirectory()
  return endpoint(route, app, async ({ principal }) =>
    ok(await userList('LDAP Authentication Demo', principal, app.directory.list)),
  )
}
