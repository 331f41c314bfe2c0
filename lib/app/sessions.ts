import { dynamoSessionStore } from '../adapters/dynamodb/sessions.ts'
import { dynamoLoginEnds, dynamoUserReader } from '../adapters/dynamodb/users.ts'
import { type AccountStates, createAccountStates } from '../auth/account-states.ts'
import { newCsrfToken } from '../auth/csrf.ts'
import type { Principal } from '../auth/principal.ts'
import { createSessions, principalOf, type Session, type Sessions, type StartedSession } from '../auth/session.ts'
import { CSRF_COOKIE, ownCookies, SESSION_COOKIE } from '../http/cookies.ts'
import { loadConfig, optional, text } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { sessionSettings } from '../runtime/settings/login.ts'
import { adminSettings } from '../runtime/settings/oauth2.ts'
import { sessionsStoreSettings, usersStoreSettings } from '../runtime/settings/stores.ts'
import { clock } from './edge.ts'
import { documents, passwordStores } from './stores.ts'

interface OpenSessions {
  readonly sessions: Sessions
  /** The principal of a session that is still valid. */
  check(id: string): Promise<Principal | undefined>
  toPrincipal(session: Session): Principal
}

/** The `Set-Cookie` texts of sessions. */
interface SessionCookies {
  /** For a new session. */
  started(session: StartedSession): readonly string[]
  csrf(token: string): string
  readonly ended: readonly string[]
}

/** @throws ConfigError */
export function sessionsFor(): Sessions {
  const config = loadConfig({ ...sessionSettings, ...sessionsStoreSettings })
  return createSessions({
    store: dynamoSessionStore(documents(), config.SESSIONS_TABLE),
    clock,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    maximumSeconds: config.SESSION_MAX_SECONDS,
    accounts: makeAccountStates(),
  })
}

/** @throws ConfigError */
export function openSessions(): OpenSessions {
  const sessions = sessionsFor()

  async function check(id: string): Promise<Principal | undefined> {
    const session = await sessions.use(id)
    return session && toPrincipal(session)
  }

  function toPrincipal(session: Session): Principal {
    return principalOf(session, sessions.expiresAt(session))
  }

  return { sessions, check, toPrincipal }
}

/** @throws ConfigError */
export function sessionCookies(): SessionCookies {
  const { BASE_URL } = loadConfig({ BASE_URL: edgeSettings.BASE_URL })
  const cookies = ownCookies(BASE_URL)
  const csrf = (token: string) => cookies.set(CSRF_COOKIE, token, { isReadable: true })

  return {
    started: ({ id }) => [cookies.set(SESSION_COOKIE, id), csrf(newCsrfToken(id))],
    csrf,
    ended: [cookies.clear(SESSION_COOKIE), cookies.clear(CSRF_COOKIE)],
  }
}

const accountSettings = {
  ...usersStoreSettings,
  LDAP_URL: optional(text),
  ...adminSettings,
}

/** The accounts of every store. It loads the client of the directory when the first of its accounts is asked for. */
export function makeAccountStates(): AccountStates {
  const { USERS_TABLE, LDAP_URL, ADMIN_IDENTITIES: admins } = loadConfig(accountSettings)
  return createAccountStates({
    users: dynamoUserReader(documents(), USERS_TABLE),
    ends: dynamoLoginEnds(documents(), USERS_TABLE),
    async directory() {
      if (LDAP_URL === undefined) return undefined
      const { openDirectory } = await import('./directory.ts')
      return openDirectory()
    },
    stores: passwordStores(),
    admins,
  })
}
