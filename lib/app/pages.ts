import { PROFILES } from '../auth/profile.ts'
import { cookiesOf, SESSION_COOKIE } from '../http/cookies.ts'
import type { HttpEvent } from '../http/message.ts'
import type { Manifest, Site } from '../http/pages/site.ts'
import type { View } from '../http/pages/view.ts'
import { loadConfig } from '../platform/config.ts'
import { consoleSettings, noDemoDeployed } from '../platform/settings/console.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { clientSettings } from '../platform/settings/oauth2.ts'
import { permissionSettings } from '../platform/settings/permissions.ts'
import { edgeOf } from './edge.ts'
import { sessionGuard } from './session-guard.ts'
import { csrfCookie, csrfTokens } from './sessions.ts'

/** JSON, put in by the build. */
declare const CONSOLE_MANIFEST: string

const settings = {
  ...edgeSettings,
  ...consoleSettings,
  ...permissionSettings,
  ...clientSettings,
}
const config = loadConfig(settings, [noDemoDeployed])
const edge = edgeOf(config)

const manifest: Manifest = JSON.parse(CONSOLE_MANIFEST)

const site: Site = {
  manifest,
  baseUrl: config.BASE_URL,
  stompUrl: config.STOMP_URL,
  profile: config.PROFILE,
  permissions: config.ROLE_PERMISSIONS,
  demoUsers: config.DEMO_USERS,
  demoTokens: config.DEMO_TOKENS,
}

/** The clients that the identity providers know us as. */
const CLIENTS = {
  google: config.OAUTH2_GOOGLE_CLIENT_ID,
  github: config.OAUTH2_GITHUB_CLIENT_ID,
  facebook: config.OAUTH2_FACEBOOK_CLIENT_ID,
}

/** For the pages. */
export const app = { ...edge, site, viewOf }

async function viewOf(event: HttpEvent): Promise<View> {
  const id = cookiesOf(event).get(SESSION_COOKIE)
  const session = id === undefined ? undefined : await sessionGuard.find(id)
  const key = session?.key ?? ''
  return {
    principal: session && sessionGuard.principalOf(session),
    csrfToken: csrfTokens.issue(key),
    csrfCookie: csrfCookie(key),
    providers: PROFILES[config.PROFILE].providers.filter((id) => CLIENTS[id] !== undefined),
    now: edge.clock.now(),
  }
}
