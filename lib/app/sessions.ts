import { dynamoSessionStore } from '../adapters/dynamodb/session-store.ts'
import { type CsrfTokens, createCsrfTokens } from '../auth/csrf-token.ts'
import { derivedKeys } from '../auth/derived-key.ts'
import type { Principal } from '../auth/principal.ts'
import { createSessions, principalOf, type Session, type Sessions, type StartedSession } from '../auth/session.ts'
import { CSRF_COOKIE, ownCookies, SESSION_COOKIE } from '../http/cookies.ts'
import type { SessionGuard } from '../http/csrf.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { sessionSettings } from '../runtime/settings/session.ts'
import { sessionsStoreSettings } from '../runtime/settings/stores.ts'
import { makeAccountStates } from './account-states.ts'
import { documents } from './clients.ts'
import { clock } from './edge.ts'
import type { TokenKeys } from './secrets.ts'

/** Sessions, as far as nothing is made of a key. */
interface OpenSessions {
  readonly sessions: Sessions
  /** The principal of a session that is still valid. */
  check(id: string): Promise<Principal | undefined>
  toPrincipal(session: Session): Principal
}

/** Sessions, and the parts of them that pages and request checks use. */
interface SessionAccess extends OpenSessions {
  readonly csrfTokens: CsrfTokens
  /** The `Set-Cookie` texts for a new session. */
  startedCookies(started: StartedSession): readonly string[]
  csrfCookie(token: string): string
  readonly endedCookies: readonly string[]
}

/** @throws ConfigError */
export function openSessions(environment?: Environment): OpenSessions {
  const config = loadConfig({ ...sessionSettings, ...sessionsStoreSettings }, [], environment)
  const sessions = createSessions({
    store: dynamoSessionStore(documents(), config.SESSIONS_TABLE),
    clock,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    maximumSeconds: config.SESSION_MAX_SECONDS,
    accounts: makeAccountStates(environment),
  })

  async function check(id: string): Promise<Principal | undefined> {
    const session = await sessions.find(id)
    return session && toPrincipal(session)
  }

  function toPrincipal(session: Session): Principal {
    return principalOf(session, sessions.expiresAt(session))
  }

  return { sessions, check, toPrincipal }
}

/** @throws ConfigError */
export function makeSessions(keys: TokenKeys, environment?: Environment): SessionAccess {
  const { BASE_URL } = loadConfig({ BASE_URL: edgeSettings.BASE_URL }, [], environment)
  const cookies = ownCookies(BASE_URL)
  const csrfTokens = createCsrfTokens(derivedKeys(keys, 'csrf'))

  function startedCookies({ id, key }: StartedSession): readonly string[] {
    return [cookies.set(SESSION_COOKIE, id), csrfCookie(csrfTokens.issue(key))]
  }

  function csrfCookie(token: string): string {
    return cookies.set(CSRF_COOKIE, token, { isReadable: true })
  }

  const endedCookies = [cookies.clear(SESSION_COOKIE), cookies.clear(CSRF_COOKIE)]

  return { ...openSessions(environment), csrfTokens, startedCookies, csrfCookie, endedCookies }
}

/** For endpoints that change something. */
export function sessionGuardOf({ sessions, csrfTokens }: SessionAccess): SessionGuard {
  return { find: sessions.find, isCsrfToken: csrfTokens.isValid }
}
