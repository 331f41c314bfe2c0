import { makeUserSessions } from '../../lib/app/account.ts'
import { listSessions } from '../../lib/auth/session.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { sessionList } from '../../lib/contract/answers/accounts.ts'
import { SESSION_ROW } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, LIST_SESSIONS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'
import { knownAccount } from '../../lib/users/manage.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}/sessions',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the sessions of an account',
  description:
    'Works for an account of any store: `ldap:` and the stable id of the entry, or `google:`, `github:` or `facebook:` and the provider’s id also name one. A session that began a moment ago may be missing.',
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: {
    200: jsonAnswer('The active sessions, the most recently used first.', sessionList, {
      sessions: [{ ...SESSION_ROW, current: false }],
    }),
  },
  grants: [...ANY_CREDENTIALS, LIST_SESSIONS],
})

export async function start() {
  const app = await makeUserSessions()
  return endpoint(route, app, async ({ event, parameters, principal }) => {
    const uid = await knownAccount(app.users, parameters['userId'] ?? '')
    return ok(await listSessions(app, uid, sessionKeyOf(event, principal)))
  })
}
