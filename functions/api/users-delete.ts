import { makeUsers } from '../../lib/app/users.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, FORGET } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { accessRefusalOf } from '../../lib/http/middleware/authorize.ts'
import { removeUser } from '../../lib/users/manage.ts'

export const route = {
  method: 'DELETE',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'DELETE', on: 'User' } },
  audit: { action: 'user.deleted', target: 'user' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'Delete a user of the database',
  description: 'You cannot delete yourself or the last enabled admin.',
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: {
    204: { description: 'The user, the sessions, the passkeys and the API keys are deleted.' },
  },
  grants: [
    ...ANY_CREDENTIALS,
    FORGET,
    { UsersTable: ['ConditionCheckItem', 'DeleteItem'], 'UsersTable/index/byName': ['Query'] },
  ],
})

export async function start() {
  const app = await makeUsers()
  return endpoint(route, app, async ({ event, parameters, principal }) => {
    const refuse = () => accessRefusalOf('permission-missing', event, route, principal.roles)
    await removeUser(app, parameters['userId'] ?? '', { uid: principal.uid, refuse })
    return noContent()
  })
}
