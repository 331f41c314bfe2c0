import { makePasskeyLogin } from '../../lib/app/passkey-login.ts'
import { returnAddress } from '../../lib/auth/csrf.ts'
import { logInWithPasskey } from '../../lib/auth/passkeys/login.ts'
import { passkeyLogin } from '../../lib/contract/requests/passkeys.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { presentedPasskey, spentTicket } from '../../lib/http/own-session.ts'
import { LOGIN_BODY } from '../../lib/runtime/text.ts'

const app = makePasskeyLogin()

export const handler = endpoint('loginPasskey', app, json(passkeyLogin, LOGIN_BODY), async ({ event, input }) => {
  const started = await logInWithPasskey(app, presentedPasskey(event, app, input.credential))
  const redirect = returnAddress(input.returnTo, app.baseUrl)
  return { ...ok({ redirect }), cookies: [...app.startedCookies(started), spentTicket(app)] }
})
