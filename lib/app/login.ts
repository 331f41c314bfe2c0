import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { tokenSettings } from '../platform/settings/token.ts'
import { tokensOf } from './checks.ts'
import { edgeOf } from './edge.ts'
import { logins } from './passwords.ts'
import { sessionGuard } from './session-guard.ts'
import { endedCookies, sessions, startedCookies } from './sessions.ts'

const config = loadConfig({ ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })

/** For everything that begins or ends with a login. */
export const app = {
  ...edgeOf(config),
  ...logins,
  tokens: tokensOf(config),
  sessions,
  sessionGuard,
  startedCookies,
  endedCookies,
}
