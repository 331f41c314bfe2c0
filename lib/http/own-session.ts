import type { Principal } from '../auth/principal.ts'
import { type Sessions, type StartedSession, sessionKey } from '../auth/session.ts'
import { cookiesOf, SESSION_COOKIE } from './cookies.ts'
import type { HttpEvent } from './message.ts'

/** The id of the session that a caller came with; undefined beside other credentials, where it does not count. */
function ownSession(event: HttpEvent, { sessionExpiresAt }: Principal): string | undefined {
  return sessionExpiresAt && cookiesOf(event).get(SESSION_COOKIE)
}

/** The key of that session. */
export function sessionKeyOf(event: HttpEvent, principal: Principal): string | undefined {
  const id = ownSession(event, principal)
  return id === undefined ? undefined : sessionKey(id)
}

interface RestartParts {
  readonly sessions: Pick<Sessions, 'restart'>
  readonly startedCookies: (started: StartedSession) => readonly string[]
}

/** Goes on with that session under another id, once logins before now are over: the cookies for it. */
export async function restartedCookies(
  event: HttpEvent,
  principal: Principal,
  { sessions, startedCookies }: RestartParts,
): Promise<string[]> {
  const id = ownSession(event, principal)
  const started = id === undefined ? undefined : await sessions.restart(id)
  return started ? [...startedCookies(started)] : []
}
