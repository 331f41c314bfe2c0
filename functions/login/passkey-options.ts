import { makePasskeyStart } from '../../lib/app/passkeys.ts'
import { passkeyLoginOptions } from '../../lib/auth/passkeys/login.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { ticketCookie } from '../../lib/http/own-session.ts'

const app = makePasskeyStart()

export const handler = endpoint('loginPasskeyOptions', app, async () => {
  const { options, ticket } = await passkeyLoginOptions(app)
  return { ...ok(options), cookies: [ticketCookie(ticket, app)] }
})
