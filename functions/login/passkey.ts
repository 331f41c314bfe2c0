import { makePasskeyLogin } from '../../lib/app/passkey-login.ts'
import { logInWithPasskey } from '../../lib/auth/passkeys/login.ts'
import { returnAddress } from '../../lib/auth/return-address.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { passkeyAnswer, presentedPasskey, spentTicket } from '../../lib/http/passkey-ticket.ts'

const app = makePasskeyLogin()

export const handler = endpoint('loginPasskey', app, passkeyAnswer, async ({ event, input }) => {
  const started = await logInWithPasskey(app, presentedPasskey(event, app, input.credential))
  const redirect = returnAddress(input.returnTo, app.baseUrl)
  return { ...ok({ redirect }), cookies: [...app.startedCookies(started), spentTicket(app)] }
})
