import { makeFormLogin } from '../../lib/app/login.ts'
import { anyAccount } from '../../lib/auth/accounts.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { formField } from '../../lib/http/form.ts'
import { addressOf, redirect } from '../../lib/http/message.ts'
import { orLoginPage, wantedAddress } from '../../lib/http/pages/login.ts'

const app = makeFormLogin()

export const handler = endpoint('loginForm', app, wantedAddress(app), ({ event, input: returnTo }) =>
  orLoginPage(event, app, returnTo, async () => {
    const [username = '', password = ''] = [formField(event, 'username'), formField(event, 'password')]
    const address = addressOf(event, app)
    const found = await app.signIn({ username, password, address, method: 'form' }, 'Login', anyAccount)
    const account = { ...found, authType: 'FORM' } as const
    const start = () => app.sessions.start(account, cookiesOf(event).get(SESSION_COOKIE))
    const started = await app.logins.recorded('login.accepted', account, address, start)
    return redirect(returnTo, app.startedCookies(started))
  }),
)
