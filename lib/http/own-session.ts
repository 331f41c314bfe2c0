import type { LoginTrail } from '../auth/login-attempts.ts'
import type { PasskeyPresented } from '../auth/passkeys/login.ts'
import { CHALLENGE_SECONDS } from '../auth/passkeys/passkey.ts'
import type { PasskeyOwner } from '../auth/passkeys/registration.ts'
import { loginOf, type Principal } from '../auth/principal.ts'
import { endSession, type Sessions, type StartedSession, sessionKey } from '../auth/session.ts'
import { invalid } from '../errors.ts'
import { cookiesOf, ownCookies, SESSION_COOKIE } from './cookies.ts'
import { addressOf, type HttpEvent, noContent, type Reply, redirect, type Trust } from './message.ts'
import { type Checks, check, findCredentials } from './middleware/authenticate.ts'
import type { EndpointContext } from './middleware/call.ts'

/** The id of the caller's session; undefined with other credentials, which take its place. */
function ownSession(event: HttpEvent, { sessionExpiresAt }: Principal): string | undefined {
  return sessionExpiresAt && cookiesOf(event).get(SESSION_COOKIE)
}

/** The key of that session. */
export function sessionKeyOf(event: HttpEvent, principal: Principal): string | undefined {
  const id = ownSession(event, principal)
  return id === undefined ? undefined : sessionKey(id)
}

/** The user who adds a passkey, in that session. */
export function passkeyOwner(event: HttpEvent, principal: Principal): PasskeyOwner {
  const { uid = '', username } = principal
  return { uid, username, sessionKey: sessionKeyOf(event, principal) ?? '', loginAt: loginOf(principal) ?? new Date(0) }
}

interface RestartParts {
  readonly sessions: Pick<Sessions, 'restart'>
  readonly startedCookies: (started: StartedSession) => readonly string[]
}

/** Restarts that session under another id after earlier logins were ended. @returns the cookies for it */
export async function restartedCookies(
  event: HttpEvent,
  principal: Principal,
  { sessions, startedCookies }: RestartParts,
): Promise<string[]> {
  const id = ownSession(event, principal)
  const started = id === undefined ? undefined : await sessions.restart(id)
  return started ? [...startedCookies(started)] : []
}

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

export interface LogoutParts extends Trust {
  readonly sessions: Sessions
  readonly logins: Pick<LoginTrail, 'recorded'>
  readonly checks: Pick<Checks, 'bearer'>
  readonly endedCookies: readonly string[]
}

const EVERYWHERE = 'must be true: a token ends only together with all sessions and tokens of its account'

/**
 * The end of a session, or of all sessions and tokens of an account. A bearer token takes precedence over a session, as
 * everywhere. No single token can be ended, because tokens are not listed anywhere.
 * @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED`, `VALIDATION_FAILED`, `UNAVAILABLE`
 */
export async function logOut(event: HttpEvent, app: LogoutParts): Promise<Reply> {
  const { sessions, logins, checks, endedCookies } = app
  const address = addressOf(event, app)
  const isEverywhere = event.queryStringParameters?.['everywhere'] === 'true'
  const found = findCredentials(event, checks)
  const holder = found && (await check(found, checks, () => address))
  if (holder === undefined) {
    await endSession(app, { id: cookiesOf(event).get(SESSION_COOKIE), isEverywhere, address })
    return redirect('/login?logout', endedCookies)
  }
  const { uid, username, authType } = holder
  if (!isEverywhere || uid === undefined) throw invalid([{ path: ['everywhere'], message: EVERYWHERE }])
  await logins.recorded('logins.ended', { uid, username, authType }, address, () => sessions.endAll(uid))
  return noContent()
}
