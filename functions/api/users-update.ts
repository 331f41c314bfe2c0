import * as z from 'zod/mini'
import { makeUsers } from '../../lib/app/users.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { userRecord } from '../../lib/contract/answers/accounts.ts'
import { USER } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, FORGET, type Grants, SET_PASSWORD } from '../../lib/contract/grants.ts'
import { closed } from '../../lib/contract/requests/fields.ts'
import { newPassword, userRole } from '../../lib/contract/requests/users.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { accessRefusalOf } from '../../lib/http/middleware/authorize.ts'
import { changeUser, shownUser } from '../../lib/users/manage.ts'

export const route = {
  method: 'PATCH',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'UPDATE', on: 'User' } },
  audit: { action: 'user.changed', target: 'user', names: ['role', 'enabled'] },
} as const satisfies Route

const changedUser = closed(
  {
    role: z.optional(userRole),
    enabled: z.optional(z.boolean('must be true or false')),
    password: z.optional(newPassword),
  },
  z.refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: 'must have role, enabled or password',
  }),
)

const CHANGE: Grants = {
  UsersTable: ['ConditionCheckItem', 'UpdateItem:enabled', 'UpdateItem:roles'],
  'UsersTable/index/byName': ['Query'],
}

export const about = (): About => ({
  tag: 'Users',
  summary: 'Change a user of the database',
  description:
    'Ends all sessions and tokens of the user; another role also its API keys, a password also its passkeys and API keys. The last enabled admin keeps role and account. Set your own password at `/api/account/password`, not here.',
  reads: { json: changedUser },
  bodyExample: { role: 'ROLE_USER', enabled: true },
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, json: {}, granted: 400 },
  answers: { 200: jsonAnswer('The changed user.', userRecord, USER) },
  grants: [...ANY_CREDENTIALS, SET_PASSWORD, FORGET, CHANGE],
})

export async function start() {
  const app = { ...(await makeUsers()), hash: hashPassword }
  return endpoint(route, app, json(changedUser), async (request) => {
    const { event, parameters, principal, input } = request
    const refuse = () => accessRefusalOf('permission-missing', event, route, principal.roles)
    const user = await changeUser(app, parameters['userId'] ?? '', input, { uid: principal.uid, refuse })
    return ok(shownUser(user))
  })
}
