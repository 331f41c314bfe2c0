import { newCsrfToken, returnAddress } from '../auth/csrf.ts'
import { isInProfile } from '../auth/profile.ts'
import { cookiesOf, SESSION_COOKIE } from '../http/cookies.ts'
import { type HttpEvent, queryOf } from '../http/message.ts'
import type { Manifest, Site, View } from '../http/pages/site.ts'
import { loadConfig } from '../runtime/config.ts'
import { consoleSettings, noDemoDeployed } from '../runtime/settings/console.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { passkeyOffer, passkeySettings } from '../runtime/settings/login.ts'
import { offeredProviders, offerSettings } from '../runtime/settings/oauth2.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import { contextOf } from './edge.ts'
import { openSessions, sessionCookies } from './sessions.ts'

/** JSON that the build inserts. */
declare const CONSOLE_MANIFEST: string

const settings = {
  ...edgeSettings,
  ...consoleSettings,
  ...passkeySettings,
  ...permissionSettings,
  ...offerSettings,
}

/** For the pages of the console. */
export function makePages(manifest = CONSOLE_MANIFEST) {
  const config = loadConfig(settings, [...edgeDeployed, noDemoDeployed])
  const context = contextOf(config)
  const { sessions, toPrincipal } = openSessions()
  const cookies = sessionCookies()

  const site: Site = {
    manifest: JSON.parse(manifest) as Manifest,
    baseUrl: config.BASE_URL,
    stompUrl: config.STOMP_URL,
    grpcUrl: config.GRPC_URL,
    profile: config.PROFILE,
    isLocal: config.STAGE === 'local',
    passkeys: passkeyOffer(config),
    permissions: config.ROLE_PERMISSIONS,
    demoUsers: config.DEMO_USERS,
    demoTokens: config.DEMO_TOKENS,
  }

  const isOffering = isInProfile({ profile: 'oauth2' }, config.PROFILE)
  const providers = isOffering ? offeredProviders(config).map(({ id, label }) => ({ id, label })) : []

  async function viewOf(event: HttpEvent): Promise<View> {
    const id = cookiesOf(event).get(SESSION_COOKIE) ?? ''
    const session = id === '' ? undefined : await sessions.use(id)
    const csrfToken = newCsrfToken(session ? id : '')
    return {
      principal: session && toPrincipal(session),
      csrfToken,
      csrfCookie: cookies.csrf(csrfToken),
      providers,
      now: context.clock.now(),
      address: returnAddress(`${event.rawPath}${queryOf(event)}`, config.BASE_URL),
    }
  }

  return { ...context, site, viewOf }
}
