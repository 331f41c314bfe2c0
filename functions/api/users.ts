import { makeUserList } from '../../lib/app/users.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { userPage } from '../../lib/contract/answers/accounts.ts'
import { USER } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, LIST_USERS } from '../../lib/contract/grants.ts'
import { closed, page } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listUsers } from '../../lib/users/manage.ts'

export const route = {
  method: 'GET',
  path: '/api/users',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const userQuery = closed(page())

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the users of the database by page',
  description:
    'Sorted by name in lowercase. A user who exists the whole time is on exactly one page. A page may hold fewer users than its limit and still have a `nextCursor`. The list ends when it is `null`.',
  reads: { query: userQuery },
  sample: { query: '?limit=3', granted: 200 },
  answers: { 200: jsonAnswer('One page.', userPage, { users: [USER], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, LIST_USERS],
})

export async function start() {
  const app = await makeUserList()
  return endpoint(route, app, query(userQuery), async ({ input }) => ok(await listUsers(app.users, input)))
}
