import { makeLogout } from '../../lib/app/login.ts'
import type { About } from '../../lib/contract/about.ts'
import { END_SESSIONS, KEYS, RECORD, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { logOut } from '../../lib/http/own-session.ts'

export const route = { method: 'POST', path: '/logout', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'End the session, or all sessions and tokens',
  description:
    'A bearer token has priority over the session, if the profile accepts one. It ends only with `everywhere=true`; otherwise the answer is 400.',
  parameters: { everywhere: '`true` ends all sessions and tokens of the user.' },
  refuses: ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'VALIDATION_FAILED'],
  answers: {
    302: { description: 'To `/login?logout`, without the cookies.', headers: ['location', 'cookies'] },
    204: { description: 'All sessions and tokens of the token’s account have ended.' },
  },
  grants: [KEYS, ...SESSION, RECORD, END_SESSIONS],
})

export async function start() {
  const app = await makeLogout()
  return endpoint(route, app, ({ event }) => logOut(event, app))
}
