import type { PasskeyOwner } from '../auth/passkeys/registration.ts'
import type { Principal } from '../auth/principal.ts'
import { type Sessions, type StartedSession, sessionKey } from '../auth/session.ts'
import { cookiesOf, SESSION_COOKIE } from './cookies.ts'
import type { HttpEvent } from './message.ts'

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
  return { uid, username, sessionKey: sessionKeyOf(event, principal) ?? '' }
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
