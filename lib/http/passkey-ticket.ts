import type { PasskeyPresented } from '../auth/passkeys/login.ts'
import { CHALLENGE_SECONDS } from '../auth/passkeys/passkey.ts'
import { cookiesOf, ownCookies, SESSION_COOKIE } from './cookies.ts'
import { addressOf, type HttpEvent } from './message.ts'
import type { EndpointContext } from './middleware/call.ts'

/** Binds the challenge of a login to the browser. */
const NAME = 'passkey_login'

type Here = Pick<EndpointContext, 'baseUrl'>

export function ticketCookie(ticket: string, { baseUrl }: Here): string {
  return ownCookies(baseUrl).set(NAME, ticket, { maxAge: CHALLENGE_SECONDS })
}

/** Ends the cookie. */
export function spentTicket({ baseUrl }: Here): string {
  return ownCookies(baseUrl).clear(NAME)
}

/** A credential with the ticket, the address and the session of its call. */
export function presentedPasskey(
  event: HttpEvent,
  app: EndpointContext,
  credential: PasskeyPresented['credential'],
): PasskeyPresented {
  return {
    credential,
    ticket: ownCookies(app.baseUrl).read(event).get(NAME),
    address: addressOf(event, app),
    sessionId: cookiesOf(event).get(SESSION_COOKIE),
  }
}
