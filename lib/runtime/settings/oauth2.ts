import { type Config, listOf, optional, parsed, type Rule, text, withDefault } from '../config.ts'
import { ADDRESS, isProviderAddress, oidcSecretSettings, oidcSettings } from './oidc.ts'
import { weaknessOf } from './strength.ts'

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

function address(fallback: string) {
  const setting = parsed((text) => {
    if (isProviderAddress(text)) return new URL(text)
    throw new Error(ADDRESS)
  })
  return withDefault(setting, new URL(fallback))
}

/** The addresses of the providers for a browser: their own, unless a stand-in takes their place. */
const PAGES = {
  /** Any OpenID Connect issuer */
  OAUTH2_GOOGLE_ISSUER: address('https://accounts.google.com'),
  /** Another GitHub */
  OAUTH2_GITHUB_AUTHORIZATION_URL: address('https://github.com/login/oauth/authorize'),
  /** Another version of the Graph API */
  OAUTH2_FACEBOOK_AUTHORIZATION_URL: address('https://www.facebook.com/v23.0/dialog/oauth'),
}

/** Which providers are offered: those with a client id. */
export const offerSettings = {
  ...PAGES,
  ...oidcSettings,
  /** As registered there; without it Google is not offered @default the embedded provider */
  OAUTH2_GOOGLE_CLIENT_ID: optional(text),
  /** As registered there; without it GitHub is not offered @default the embedded provider */
  OAUTH2_GITHUB_CLIENT_ID: optional(text),
  /** As registered there; without it Facebook is not offered @default the embedded provider */
  OAUTH2_FACEBOOK_CLIENT_ID: optional(text),
}

/** A provider that a login is offered with. */
export interface OfferedProvider {
  readonly id: string
  /** For people. */
  readonly label: string
  /** Where a browser finds it. */
  readonly page: URL
}

export function offeredProviders(config: Config<typeof offerSettings>): readonly OfferedProvider[] {
  const known = [
    ['google', 'Google', config.OAUTH2_GOOGLE_CLIENT_ID, config.OAUTH2_GOOGLE_ISSUER],
    ['github', 'GitHub', config.OAUTH2_GITHUB_CLIENT_ID, config.OAUTH2_GITHUB_AUTHORIZATION_URL],
    ['facebook', 'Facebook', config.OAUTH2_FACEBOOK_CLIENT_ID, config.OAUTH2_FACEBOOK_AUTHORIZATION_URL],
  ] as const
  return [
    ...known.flatMap(([id, label, clientId, page]) => (clientId === undefined ? [] : [{ id, label, page }])),
    ...[...config.OIDC_PROVIDERS].map(([id, { label, issuer: page }]) => ({ id, label, page })),
  ]
}

const PROVIDERS = {
  ...offerSettings,
  ...oidcSecretSettings,
  /** Of that client @default that of the embedded provider */
  OAUTH2_GOOGLE_CLIENT_SECRET: optional(text),
  /** Of that client @default that of the embedded provider */
  OAUTH2_GITHUB_CLIENT_SECRET: optional(text),
  /** Another GitHub */
  OAUTH2_GITHUB_TOKEN_URL: address('https://github.com/login/oauth/access_token'),
  /** Another GitHub */
  OAUTH2_GITHUB_API_URL: address('https://api.github.com'),
  /** Of that client @default that of the embedded provider */
  OAUTH2_FACEBOOK_CLIENT_SECRET: optional(text),
  /** Another version of the Graph API */
  OAUTH2_FACEBOOK_TOKEN_URL: address('https://graph.facebook.com/v23.0/oauth/access_token'),
  /** Another version of the Graph API */
  OAUTH2_FACEBOOK_API_URL: address('https://graph.facebook.com/v23.0'),
}

function identities(text: string): readonly string[] {
  return listOf(text).map((identity, index) => {
    if (/^[a-z][a-z0-9-]{0,23}:[ -~]{1,255}$/.test(identity)) return identity.replaceAll('%2C', ',')
    throw new Error(`identity ${index + 1} must be <provider>:<id>`)
  })
}

/** Which users of providers are administrators. */
export const adminSettings = {
  /** Users of providers who are admins: `provider:sub`, separated by commas; a comma in it is `%2C` */
  ADMIN_IDENTITIES: /* @__PURE__ */ withDefault(/* @__PURE__ */ parsed(identities), []),
}

/** The login with other providers, and which of their users are administrators. */
export const oauth2Settings = { ...PROVIDERS, ...adminSettings }

type Checked = Config<typeof oauth2Settings> & { readonly STAGE: string; readonly BASE_URL?: URL }

const IDS = ['GOOGLE', 'GITHUB', 'FACEBOOK'] as const
const ADDRESSES = [
  'OAUTH2_GOOGLE_ISSUER',
  'OAUTH2_GITHUB_AUTHORIZATION_URL',
  'OAUTH2_GITHUB_TOKEN_URL',
  'OAUTH2_GITHUB_API_URL',
  'OAUTH2_FACEBOOK_AUTHORIZATION_URL',
  'OAUTH2_FACEBOOK_TOKEN_URL',
  'OAUTH2_FACEBOOK_API_URL',
] as const

/** The shortest that a provider gives out, Google's of before 2021, has 24 characters. */
const MINIMUM_LENGTH = 16

/** Tokens and secrets travel over https, except to a provider on this very machine. */
export const oauth2Rules: readonly Rule<Checked>[] = [
  ...ADDRESSES.map(
    (name): Rule<Checked> => ({ settings: ['STAGE', name], broken: (config) => insecure(name, config) }),
  ),
  ...IDS.map((id): Rule<Checked> => {
    const clientId = `OAUTH2_${id}_CLIENT_ID` as const
    const secret = `OAUTH2_${id}_CLIENT_SECRET` as const
    return {
      settings: ['STAGE', clientId, secret],
      broken({ STAGE, [clientId]: isOffered, [secret]: value }) {
        if (!isOffered) return undefined
        if (value === undefined) return `${secret}: must be set, because ${clientId} is`
        const weakness = STAGE === 'local' ? undefined : weaknessOf(value, MINIMUM_LENGTH)
        return weakness && `${secret}: ${weakness}`
      },
    }
  }),
  { settings: ['STAGE', 'OIDC_PROVIDERS', 'OIDC_CLIENT_SECRETS'], broken: brokenClient },
  {
    settings: ['OIDC_PROVIDERS', 'ADMIN_IDENTITIES'],
    broken({ OIDC_PROVIDERS: named, ADMIN_IDENTITIES: admins }) {
      const isKnown = (id = '') => named.has(id) || IDS.some((known) => known.toLowerCase() === id)
      const at = admins.findIndex((identity) => !isKnown(identity.split(':')[0]))
      return at === -1 ? undefined : `ADMIN_IDENTITIES: the provider of identity ${at + 1} is none of OIDC_PROVIDERS`
    },
  },
]

/** The name under which a secret protects logins under way, where no client has one. */
const SEALING = 'sealing'

function brokenClient(config: Checked): string | undefined {
  const { STAGE, OIDC_PROVIDERS: clients, OIDC_CLIENT_SECRETS: secrets } = config
  const [open] = [...clients].filter(([, { issuer }]) => !isProtected(issuer, config))
  if (open) return `OIDC_PROVIDERS: ${open[0]}: issuer ${PROTECTED}`
  const lost = [...secrets.keys()].find((name) => name !== SEALING && !clients.has(name))
  if (lost !== undefined) return 'OIDC_CLIENT_SECRETS: each name must be one of OIDC_PROVIDERS, or sealing'
  if (STAGE !== 'local' && clients.size > 0 && secretsOf(config).length === 0)
    return 'OIDC_CLIENT_SECRETS: must have sealing, a random text, because no client has a secret'
  const weak = [...secrets].map(([name, value]) => [name, weaknessOf(value, MINIMUM_LENGTH)]).find(([, rule]) => rule)
  return STAGE !== 'local' && weak ? `OIDC_CLIENT_SECRETS: ${weak.join(' ')}` : undefined
}

/** The secrets of all clients. */
export function secretsOf(config: Config<typeof PROVIDERS>): readonly string[] {
  const known = IDS.map((id) => config[`OAUTH2_${id}_CLIENT_SECRET`])
  return [...known.filter((secret) => secret !== undefined), ...config.OIDC_CLIENT_SECRETS.values()]
}

const PROTECTED = 'must be an https address; http is for the local stage on this machine alone'

/** The name of the service is that of its container, where the embedded providers are too. */
function isProtected({ protocol, hostname }: URL, { STAGE, BASE_URL }: Checked): boolean {
  return protocol === 'https:' || (STAGE === 'local' && [...LOOPBACK, BASE_URL?.hostname].includes(hostname))
}

function insecure(name: (typeof ADDRESSES)[number], config: Checked): string | undefined {
  return isProtected(config[name], config) ? undefined : `${name}: ${PROTECTED}`
}
