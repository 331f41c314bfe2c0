import { makeNewUsers } from '../../lib/app/users.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import type { About } from '../../lib/contract/about.ts'
import { createdUser } from '../../lib/contract/answers/accounts.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { ANY_CREDENTIALS, each } from '../../lib/contract/grants.ts'
import { newUser } from '../../lib/contract/requests/users.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'
import { createUser } from '../../lib/users/manage.ts'

export const route = {
  method: 'POST',
  path: '/api/users',
  access: { role: 'ROLE_ADMIN', permission: { name: 'CREATE', on: 'User' } },
  audit: { action: 'user.created', names: ['role'] },
} as const satisfies Route

const WRITTEN = 'createdAt enabled id listed name nameKey passwordHash roles'

export const about = (): About => ({
  tag: 'Users',
  summary: 'Create a user of the database',
  description:
    'In the profile `ldap` no login uses the database. The user can log in when the service runs in another profile.',
  reads: { json: newUser },
  bodyExample: { username: 'ada', password: 'correct horse battery staple', role: 'ROLE_USER' },
  refuses: ['USER_EXISTS'],
  sample: { json: {}, granted: 400 },
  answers: {
    201: {
      description: 'The new user.',
      headers: ['location'],
      example: { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', username: 'ada', role: 'ROLE_USER' },
      content: jsonContent(createdUser),
    },
  },
  grants: [...ANY_CREDENTIALS, { UsersTable: each('PutItem', WRITTEN) }],
})

export async function start() {
  const app = await makeNewUsers()
  return endpoint(route, app, json(newUser), async ({ input }) => {
    const user = await createUser(app.users, app, hashPassword, input, app.directory)
    return created(user, `/api/users/${user.id}`)
  })
}
