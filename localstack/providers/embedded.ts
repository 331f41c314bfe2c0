import { moduleFile } from '../../infra/project.ts'
import { type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { oauth2Settings } from '../../lib/runtime/settings/oauth2.ts'
import type { DataFolder } from '../stack/data-folder.ts'
import { keepRunning, type Starting, startThread } from '../stack/parts.ts'
import { CALLED, type Ports } from '../stack/ports.ts'
import { CLIENT, identities, type Run, usernameOf } from './client.ts'
import { VERSION } from './facebook.ts'

/** The settings of each provider, and the path at which the functions find the embedded one. */
const PROVIDERS = {
  google: { prefix: 'OAUTH2_GOOGLE', endpoints: { ISSUER: '' } },
  github: {
    prefix: 'OAUTH2_GITHUB',
    endpoints: {
      AUTHORIZATION_URL: '/login/oauth/authorize',
      TOKEN_URL: '/login/oauth/access_token',
      API_URL: '',
    },
  },
  facebook: {
    prefix: 'OAUTH2_FACEBOOK',
    endpoints: {
      AUTHORIZATION_URL: `${VERSION}/dialog/oauth`,
      TOKEN_URL: `${VERSION}/oauth/access_token`,
      API_URL: VERSION,
    },
  },
} as const

type Name = keyof typeof PROVIDERS

/** The address of each provider; null in a profile without providers. */
export type ProviderAddresses = Readonly<Record<Name, string>> | null

interface ProviderUser {
  readonly username: string
  readonly password: ''
  readonly role: string
  readonly store: string
}

const NAMES = Object.keys(PROVIDERS) as readonly Name[]
const SERVER = moduleFile('localstack/providers/main')
const PROFILES = ['default', 'oauth2']

/** The providers that a local run embeds; with a client of a real provider configured, the run uses the real one. */
export function embeddedProviders(given: Environment): readonly Name[] {
  if (!isWanted(given)) return []
  return NAMES.filter((name) => !given[`${PROVIDERS[name].prefix}_CLIENT_ID`])
}

/** The functions' settings for the embedded providers. */
export function providerEnvironment(given: Environment, ports: Ports): Record<string, string> {
  const embedded = embeddedProviders(given)
  const settings = embedded.flatMap((name) => Object.entries(settingsOf(name, ports)))
  const admins = identities().filter(
    ({ store, role }) => role === 'ROLE_ADMIN' && embedded.some((name) => name === store),
  )
  return {
    ...Object.fromEntries(settings),
    ADMIN_IDENTITIES: given['ADMIN_IDENTITIES'] || admins.map(usernameOf).join(','),
  }
}

/** The users of the embedded providers: a page lists them and asks for no password. */
export function providerUsers(environment: Environment): readonly ProviderUser[] {
  const embedded = NAMES.filter((name) => environment[`${PROVIDERS[name].prefix}_CLIENT_ID`] === CLIENT.id)
  const users = identities().filter(({ store }) => embedded.some((name) => name === store))
  return users.map((identity) => ({
    username: usernameOf(identity),
    password: '',
    role: identity.role,
    store: identity.store,
  }))
}

/** @param environment that of the functions */
export function providerAddresses(environment: Environment): ProviderAddresses {
  if (!isWanted(environment)) return null
  const config = loadConfig(oauth2Settings, [], environment)
  return {
    google: config.OAUTH2_GOOGLE_ISSUER.href.replace(/\/$/, ''),
    github: config.OAUTH2_GITHUB_AUTHORIZATION_URL.origin,
    facebook: config.OAUTH2_FACEBOOK_AUTHORIZATION_URL.origin,
  }
}

/** The address of the embedded OpenID provider, if there is one. @param environment that of the functions */
export function openIssuer(environment: Environment): string | undefined {
  const isEmbedded = environment['OAUTH2_GOOGLE_CLIENT_ID'] === CLIENT.id
  return isEmbedded ? providerAddresses(environment)?.google : undefined
}

/** Starts the providers in one thread. */
export function startProviders(
  names: readonly Name[],
  ports: Ports,
  client: Pick<Run, 'baseUrl' | 'admins' | 'clients'>,
  data: DataFolder,
): Starting {
  const keys = data.path('google-keys.json')
  const run: Run = {
    ports: Object.fromEntries(names.map((name) => [name, ports[name]])),
    ...client,
    ...(keys !== undefined && { keys }),
  }
  return keepRunning(() => startThread('The login providers', SERVER, run, data.log.descriptor))
}

function isWanted(given: Environment): boolean {
  return PROFILES.includes(given['PROFILE'] || 'default')
}

function settingsOf(name: Name, ports: Ports): Record<string, string> {
  const { prefix, endpoints } = PROVIDERS[name]
  const urls = Object.entries(endpoints).map(([setting, path]) => [
    `${prefix}_${setting}`,
    `http://${CALLED}:${ports[name]}${path}`,
  ])
  return {
    ...Object.fromEntries(urls),
    [`${prefix}_CLIENT_ID`]: CLIENT.id,
    [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
  }
}
