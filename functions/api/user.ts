import { makeUserList } from '../../lib/app/users.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { userRecord } from '../../lib/contract/answers/accounts.ts'
import { USER } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findUser } from '../../lib/users/manage.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'Show a user of the database',
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('The user.', userRecord, USER) },
  grants: ANY_CREDENTIALS,
})

export async function start() {
  const app = await makeUserList()
  return endpoint(route, app, async ({ parameters }) => ok(await findUser(app.users, parameters['userId'] ?? '')))
}
