import { dynamoSessionStore } from '../adapters/dynamodb/session-store.ts'
import { dynamoUserStore } from '../adapters/dynamodb/user-store.ts'
import { createCsrfTokens } from '../auth/csrf-token.ts'
import { createSessions, type Session, type StartedSession } from '../auth/session.ts'
import { CSRF_COOKIE, cookieWriter, SESSION_COOKIE } from '../http/cookies.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { sessionSettings } from '../platform/settings/session.ts'
import { sessionsStoreSettings, usersStoreSettings } from '../platform/settings/stores.ts'
import { keysFor } from './derived-keys.ts'
import { documents } from './documents.ts'
import { clock } from './edge.ts'

const settings = {
  ...sessionSettings,
  ...sessionsStoreSettings,
  ...usersStoreSettings,
  BASE_URL: edgeSettings.BASE_URL,
}
const config = loadConfig(settings)
const users = dynamoUserStore(documents, config.USERS_TABLE)
const cookies = cookieWriter(config.BASE_URL)

export const csrfTokens = createCsrfTokens(keysFor('csrf'))

export const sessions = createSessions({
  store: dynamoSessionStore(documents, config.SESSIONS_TABLE),
  clock,
  idleSeconds: config.SESSION_IDLE_SECONDS,
  maximumSeconds: config.SESSION_MAX_SECONDS,
  isWelcome,
})

/** The `Set-Cookie` texts that come with a new session. */
export function startedCookies({ id, key }: StartedSession): readonly string[] {
  return [cookies.set(SESSION_COOKIE, id), csrfCookie(key)]
}

/** @param sessionKey empty before a login */
export function csrfCookie(sessionKey: string): string {
  return cookies.set(CSRF_COOKIE, csrfTokens.issue(sessionKey), { isReadable: true })
}

export const endedCookies = [cookies.clear(SESSION_COOKIE), cookies.clear(CSRF_COOKIE)]

/** Each store is asked for its own users; an identity provider's are in for as long as the session. */
async function isWelcome({ principalType, username, userId }: Session): Promise<boolean> {
  if (principalType === 'DatabaseUser') {
    const user = await users.find(username)
    return user?.id === userId && (user?.enabled ?? false)
  }
  if (principalType !== 'DirectoryUser') return true
  const { openDirectory } = await import('./directory.ts')
  const directory = await openDirectory()
  return (await directory.find(username)) !== undefined
}
