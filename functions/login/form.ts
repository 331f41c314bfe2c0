import { makeLogin } from '../../lib/app/login.ts'
import { anyAccount } from '../../lib/auth/accounts.ts'
import { returnAddress } from '../../lib/auth/return-address.ts'
import { addressOf } from '../../lib/http/client-address.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { formField } from '../../lib/http/form.ts'
import { type HttpEvent, redirect } from '../../lib/http/message.ts'
import { orLoginPage } from '../../lib/http/pages/login.ts'

const app = await makeLogin()
const read = (event: HttpEvent) => returnAddress(formField(event, 'returnTo'), app.baseUrl)

export const handler = endpoint('loginForm', app, read, ({ event, input: returnTo }) =>
  orLoginPage(event, returnTo, async () => {
    const [username = '', password = ''] = [formField(event, 'username'), formField(event, 'password')]
    const account = await app.signIn({ username, password, address: addressOf(event, app) }, 'Login', anyAccount)
    const started = await app.sessions.start({ ...account, authType: 'FORM' }, cookiesOf(event).get(SESSION_COOKIE))
    return redirect(returnTo, app.startedCookies(started))
  }),
)
