import { type Config, listOf, optional, parsed, type Rule, text, withDefault } from '../config.ts'
import { weaknessOf } from './strength.ts'

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

function address(fallback: string) {
  const setting = parsed((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return url
    throw new Error('must be an http or https address, without user, query or fragment')
  })
  return withDefault(setting, new URL(fallback))
}

/** A provider without a client id is not offered. */
export const clientSettings = {
  /** As registered there; without it Google is not offered @default the embedded provider */
  OAUTH2_GOOGLE_CLIENT_ID: optional(text),
  /** As registered there; without it GitHub is not offered @default the embedded provider */
  OAUTH2_GITHUB_CLIENT_ID: optional(text),
  /** As registered there; without it Facebook is not offered @default the embedded provider */
  OAUTH2_FACEBOOK_CLIENT_ID: optional(text),
}

/** The addresses of the providers for a browser: their own, unless a stand-in plays them. */
export const providerPageSettings = {
  /** Any OpenID Connect issuer */
  OAUTH2_GOOGLE_ISSUER: address('https://accounts.google.com'),
  /** Another GitHub */
  OAUTH2_GITHUB_AUTHORIZATION_URL: address('https://github.com/login/oauth/authorize'),
  /** Another version of the Graph API */
  OAUTH2_FACEBOOK_AUTHORIZATION_URL: address('https://www.facebook.com/v23.0/dialog/oauth'),
}

const PROVIDERS = {
  ...clientSettings,
  ...providerPageSettings,
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
    if (/^(?:google|github|facebook):[!-~]{1,255}$/.test(identity)) return identity
    throw new Error(`identity ${index + 1} must be google:<id>, github:<id> or facebook:<id>`)
  })
}

/** The login with other providers, and which of their users are administrators. */
export const oauth2Settings = {
  ...PROVIDERS,
  /** Users of providers who are admins: `provider:sub`, separated by commas */
  ADMIN_IDENTITIES: withDefault(parsed(identities), []),
}

type Checked = Config<typeof PROVIDERS> & { readonly STAGE: string }

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
]

function insecure(name: (typeof ADDRESSES)[number], { STAGE, [name]: url }: Checked): string | undefined {
  const isAllowed = url.protocol === 'https:' || (STAGE === 'local' && LOOPBACK.includes(url.hostname))
  return isAllowed ? undefined : `${name}: must be an https address; http is for the local stage on this machine alone`
}
