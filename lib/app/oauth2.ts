import { facebookProvider } from '../adapters/oidc/facebook.ts'
import { githubProvider } from '../adapters/oidc/github.ts'
import { googleProvider } from '../adapters/oidc/google.ts'
import type { IdentityProvider } from '../auth/oauth2/identity-provider.ts'
import { createOAuth2Login } from '../auth/oauth2/login.ts'
import type { ProviderId } from '../auth/oauth2/providers.ts'
import type { CookieChange } from '../auth/oauth2/tabs.ts'
import { createTransactions } from '../auth/oauth2/transaction.ts'
import type { Sessions, StartedSession } from '../auth/session.ts'
import { cookieWriter } from '../http/cookies.ts'
import { type Config, loadConfig } from '../platform/config.ts'
import { type Current, madeOf } from '../platform/current.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { clientSettings, oauth2Rules, oauth2Settings } from '../platform/settings/oauth2.ts'
import { keysFor } from './derived-keys.ts'
import { clock, edgeOf, log } from './edge.ts'
import { secretConfig } from './secrets.ts'

const settings = { ...edgeSettings, ...oauth2Settings }
const isAnyOffered = Object.values(loadConfig(clientSettings)).some((id) => id !== undefined)
const secret = isAnyOffered
  ? await secretConfig('oauth2', settings, oauth2Rules)
  : { current: loadConfig(settings, oauth2Rules) }
const config = secret.current
const { baseUrl } = edgeOf(config)
const cookies = cookieWriter(baseUrl)

/** For the login with another provider. */
export const app = {
  ...edgeOf(config),
  login: createOAuth2Login({
    providers: providersOf(secret),
    transactions: createTransactions(keysFor('oauth2 transaction'), clock),
    sessions: { start: startSession },
    admins: config.ADMIN_IDENTITIES,
    baseUrl,
    clock,
    log,
  }),
  setCookies: (changes: readonly CookieChange[]) => changes.map(setCookie),
  sessionCookies,
}

/** The store of sessions is loaded when somebody has logged in: a start needs none. */
async function startSession(...user: Parameters<Sessions['start']>): Promise<StartedSession> {
  const { sessions } = await import('./sessions.ts')
  return sessions.start(...user)
}

async function sessionCookies(started: StartedSession | undefined): Promise<readonly string[]> {
  if (!started) return []
  const { startedCookies } = await import('./sessions.ts')
  return startedCookies(started)
}

function setCookie({ name, value, path, maxAge }: CookieChange): string {
  return value === undefined ? cookies.clear(name, path) : cookies.set(name, value, { path, maxAge })
}

/** Those with a client of ours. */
function providersOf(client: Current<Config<typeof oauth2Settings>>): ReadonlyMap<ProviderId, IdentityProvider> {
  const given = client.current
  const google = {
    clientId: given.OAUTH2_GOOGLE_CLIENT_ID ?? '',
    clientSecret: madeOf(client, ({ OAUTH2_GOOGLE_CLIENT_SECRET = '' }) => OAUTH2_GOOGLE_CLIENT_SECRET),
  }
  const github = {
    clientId: given.OAUTH2_GITHUB_CLIENT_ID ?? '',
    clientSecret: madeOf(client, ({ OAUTH2_GITHUB_CLIENT_SECRET = '' }) => OAUTH2_GITHUB_CLIENT_SECRET),
  }
  const facebook = {
    clientId: given.OAUTH2_FACEBOOK_CLIENT_ID ?? '',
    clientSecret: madeOf(client, ({ OAUTH2_FACEBOOK_CLIENT_SECRET = '' }) => OAUTH2_FACEBOOK_CLIENT_SECRET),
  }
  const all: readonly [ProviderId, string, () => IdentityProvider][] = [
    ['google', google.clientId, () => googleProvider(google, given.OAUTH2_GOOGLE_ISSUER)],
    [
      'github',
      github.clientId,
      () =>
        githubProvider(github, {
          authorization: given.OAUTH2_GITHUB_AUTHORIZATION_URL,
          token: given.OAUTH2_GITHUB_TOKEN_URL,
          api: given.OAUTH2_GITHUB_API_URL,
        }),
    ],
    [
      'facebook',
      facebook.clientId,
      () =>
        facebookProvider(facebook, {
          authorization: given.OAUTH2_FACEBOOK_AUTHORIZATION_URL,
          token: given.OAUTH2_FACEBOOK_TOKEN_URL,
          api: given.OAUTH2_FACEBOOK_API_URL,
        }),
    ],
  ]
  return new Map(all.filter(([, clientId]) => clientId !== '').map(([id, , create]) => [id, create()]))
}
