import { openIdProvider } from '../adapters/oidc/openid.ts'
import { facebookProvider, githubProvider } from '../adapters/oidc/plain.ts'
import type { IdentityProvider } from '../auth/oauth2/identity-provider.ts'
import { createOAuth2Login } from '../auth/oauth2/login.ts'
import { type CookieChange, createTransactions, derivedKey } from '../auth/oauth2/transaction.ts'
import type { Sessions, StartedSession } from '../auth/session.ts'
import { ownCookies } from '../http/cookies.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { type Current, derived } from '../runtime/secrets.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { oauth2Rules, oauth2Settings, offeredProviders, offerSettings, secretsOf } from '../runtime/settings/oauth2.ts'
import { DEMO } from '../runtime/settings/strength.ts'
import { clock, contextOf, log } from './edge.ts'
import { secretConfig } from './secrets.ts'
import { loginTrailOf } from './stores.ts'

const settings = { ...edgeSettings, ...oauth2Settings }

/** Our clients, as their settings name them. */
const CLIENTS = ['GOOGLE', 'GITHUB', 'FACEBOOK'] as const

/** For the login with an identity provider. */
export async function makeOAuth2() {
  const secret = await settingsOf()
  const config = secret.current
  const context = contextOf(config)
  const cookies = ownCookies(context.baseUrl)

  /** Loads the session store when a login succeeds; the start of a login needs none. */
  const open = memoizeAsync(async () => {
    const { openSessions, sessionCookies } = await import('./sessions.ts')
    const { sessions } = openSessions()
    return { sessions, cookies: sessionCookies() }
  })

  async function startSession(...user: Parameters<Sessions['start']>): Promise<StartedSession> {
    const { sessions } = await open()
    return sessions.start(...user)
  }

  async function startedCookies(started: StartedSession | undefined): Promise<readonly string[]> {
    if (!started) return []
    const opened = await open()
    return opened.cookies.started(started)
  }

  function setCookie({ name, value, ...options }: CookieChange): string {
    return value === undefined ? cookies.clear(name) : cookies.set(name, value, options)
  }

  const login = createOAuth2Login({
    providers: providersOf(secret),
    transactions: createTransactions(derived(secret, sealingKeys), clock),
    sessions: { start: startSession },
    logins: loginTrailOf(),
    admins: config.ADMIN_IDENTITIES,
    baseUrl: context.baseUrl,
    showsRefusals: config.STAGE === 'local',
    clock,
    log,
  })
  return {
    ...context,
    login,
    /** The cookies of logins under way. */
    loginCookies: cookies.read,
    setCookies: (changes: readonly CookieChange[]) => changes.map(setCookie),
    startedCookies,
  }
}

/**
 * Keys for logins under way, derived from our own client secrets, as in OpenID Connect Core section 10.2. Only a local
 * run may have none.
 */
function sealingKeys(given: Config<typeof oauth2Settings>): readonly Buffer[] {
  const secrets = secretsOf(given)
  return (secrets.length > 0 ? secrets : [DEMO.clientSecret]).map((text) => derivedKey(text, 'oauth2 transaction'))
}

/** Loads the secret only if a client is configured. */
async function settingsOf(): Promise<Current<Config<typeof settings>>> {
  const rules = [...edgeDeployed, ...oauth2Rules]
  if (offeredProviders(loadConfig(offerSettings)).length > 0) return secretConfig('oauth2', settings, rules)
  return { current: loadConfig(settings, rules) }
}

type Given = Current<Config<typeof oauth2Settings>>

/** The providers for which a client is configured. */
function providersOf(given: Given): ReadonlyMap<string, IdentityProvider> {
  const { OIDC_PROVIDERS, OIDC_CLIENT_SECRETS, OAUTH2_GOOGLE_ISSUER: issuer } = given.current
  const [google, github, facebook] = CLIENTS.map((name) => clientOf(given, name))
  const named = [...OIDC_PROVIDERS].map(([name, client]) => {
    const secret = derived(given, (current) => current.OIDC_CLIENT_SECRETS.get(name) ?? '')
    const clientSecret = OIDC_CLIENT_SECRETS.has(name) ? secret : undefined
    return [name, openIdProvider({ ...client, clientSecret })] as const
  })
  const providers = new Map<string, IdentityProvider>(named)
  if (google) providers.set('google', openIdProvider({ ...google, issuer, scope: 'openid profile email' }))
  if (github) providers.set('github', githubProvider(github, endpointsOf(given.current, 'GITHUB')))
  if (facebook) providers.set('facebook', facebookProvider(facebook, endpointsOf(given.current, 'FACEBOOK')))
  return providers
}

function clientOf(config: Given, name: (typeof CLIENTS)[number]) {
  const clientId = config.current[`OAUTH2_${name}_CLIENT_ID`]
  const clientSecret = derived(config, (current) => current[`OAUTH2_${name}_CLIENT_SECRET`] ?? '')
  return clientId ? { clientId, clientSecret } : undefined
}

function endpointsOf(given: Config<typeof oauth2Settings>, name: 'GITHUB' | 'FACEBOOK') {
  return {
    authorization: given[`OAUTH2_${name}_AUTHORIZATION_URL`],
    token: given[`OAUTH2_${name}_TOKEN_URL`],
    api: given[`OAUTH2_${name}_API_URL`],
  }
}
