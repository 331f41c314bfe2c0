import { makeUserSessions } from '../../lib/app/account.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, END_SESSIONS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { knownAccount } from '../../lib/users/manage.ts'

export const route = {
  method: 'DELETE',
  path: '/api/users/{userId}/sessions',
  access: { role: 'ROLE_ADMIN', permission: { name: 'UPDATE', on: 'User' } },
  audit: { action: 'sessions.ended', target: 'user' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'End all sessions and tokens of an account',
  description:
    'Works for an account of any store, as above. Sessions end at their next request. Tokens can change nothing from then on, and can read until they expire.',
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: { 204: { description: 'They have ended.' } },
  grants: [...ANY_CREDENTIALS, END_SESSIONS],
})

export async function start() {
  const app = await makeUserSessions()
  return endpoint(route, app, async ({ parameters }) => {
    await app.sessions.endAll(await knownAccount(app.users, parameters['userId'] ?? ''))
    return noContent()
  })
}
