import { makeFormLogin } from '../../lib/app/login.ts'
import { anyAccount } from '../../lib/auth/accounts.ts'
import type { About } from '../../lib/contract/about.ts'
import { PASSWORD, REHASH, SESSION, START_SESSION } from '../../lib/contract/grants.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import type { Route } from '../../lib/contract/route.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { form } from '../../lib/http/form.ts'
import { addressOf, redirect } from '../../lib/http/message.ts'
import { orLoginPage, wantedAddress } from '../../lib/http/pages/login.ts'

export const route = { method: 'POST', path: '/login', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Begin a session',
  description:
    'A refused browser goes back to the login page, which keeps the user name for a minute. The field `returnTo` may name another path of this service than `/`.',
  reads: { form: loginForm.schema },
  bodyExample: { username: 'ada', password: 'correct horse battery staple' },
  refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
  answers: {
    302: {
      description:
        'Redirects to `returnTo` or `/`, with the cookies of a session. After a failure it redirects to `/login`, which shows the reason.',
      headers: ['location', 'cookiesIfAny'],
    },
  },
  grants: [...SESSION, ...PASSWORD, REHASH, START_SESSION],
})

export function start() {
  const app = makeFormLogin()
  return endpoint(route, app, wantedAddress(app), ({ event, input: returnTo }) =>
    orLoginPage(event, app, returnTo, async () => {
      const { username, password } = form(loginForm)(event)
      const address = addressOf(event, app)
      const found = await app.signIn({ username, password, address, method: 'form' }, 'Login', anyAccount)
      const account = { ...found, authType: 'FORM' } as const
      const start = () => app.sessions.start(account, cookiesOf(event).get(SESSION_COOKIE))
      const started = await app.logins.recorded('login.accepted', account, address, start)
      return redirect(returnTo, app.startedCookies(started))
    }),
  )
}
