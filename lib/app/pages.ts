import { PROFILES } from '../auth/profile.ts'
import { cookiesOf, SESSION_COOKIE } from '../http/cookies.ts'
import type { HttpEvent } from '../http/message.ts'
import type { View } from '../http/view.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { oauth2Settings } from '../platform/settings/oauth2.ts'
import { edgeOf } from './edge.ts'
import { csrfCookie, csrfTokens, sessionGuard } from './sessions.ts'

const config = loadConfig({
  ...edgeSettings,
  OAUTH2_GOOGLE_CLIENT_ID: oauth2Settings.OAUTH2_GOOGLE_CLIENT_ID,
  OAUTH2_GITHUB_CLIENT_ID: oauth2Settings.OAUTH2_GITHUB_CLIENT_ID,
  OAUTH2_FACEBOOK_CLIENT_ID: oauth2Settings.OAUTH2_FACEBOOK_CLIENT_ID,
})

/** The clients that the identity providers know us as. */
const CLIENTS = {
  google: config.OAUTH2_GOOGLE_CLIENT_ID,
  github: config.OAUTH2_GITHUB_CLIENT_ID,
  facebook: config.OAUTH2_FACEBOOK_CLIENT_ID,
}

/** For the pages. */
export const app = { ...edgeOf(config), viewOf }

async function viewOf(event: HttpEvent): Promise<View> {
  const id = cookiesOf(event).get(SESSION_COOKIE)
  const session = id === undefined ? undefined : await sessionGuard.find(id)
  const key = session?.key ?? ''
  return {
    principal: session && sessionGuard.principalOf(session),
    csrfToken: csrfTokens.issue(key),
    csrfCookie: csrfCookie(key),
    providers: PROFILES[config.PROFILE].providers.filter((id) => CLIENTS[id] !== undefined),
  }
}
