import { makeAccountSessions } from '../../lib/app/account.ts'
import { listSessions } from '../../lib/auth/session.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { sessionList } from '../../lib/contract/answers/accounts.ts'
import { SESSION_ROW } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, LIST_SESSIONS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'

export const route = { method: 'GET', path: '/api/account/sessions', access: 'authenticated' } as const satisfies Route

export const about = (): About => ({
  tag: 'Account',
  summary: 'List your own sessions',
  description: 'A session that began a moment ago may be missing. A token also needs its account here.',
  answers: {
    200: jsonAnswer('The active sessions, the most recently used first.', sessionList, { sessions: [SESSION_ROW] }),
  },
  grants: [...ANY_CREDENTIALS, LIST_SESSIONS],
})

export async function start() {
  const app = await makeAccountSessions()
  return endpoint(route, app, async ({ event, principal }) =>
    ok(await listSessions(app, principal.uid ?? '', sessionKeyOf(event, principal))),
  )
}
