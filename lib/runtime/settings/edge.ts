import { type Networks, NO_NETWORKS, networksOf } from '../address.ts'
import type { Rule } from '../config.ts'
import { choice, listOf, parsed, text, withDefault } from './values.ts'

const HTTP_SCHEMES = ['http:', 'https:']

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && HTTP_SCHEMES.includes(url.protocol)) return url
  throw new Error('must be an http or https address')
}

/** What every endpoint that answers HTTP wants to know. */
export const edgeSettings = {
  STAGE: withDefault(text, 'local'),
  BASE_URL: parsed(httpUrl),
  PROFILE: withDefault(choice(['default', 'jwt', 'jdbc', 'ldap', 'oauth2']), 'default'),
  TRUSTED_ORIGINS: withDefault(
    parsed((text) => listOf(text).map((origin) => httpUrl(origin).origin)),
    [],
  ),
  TRUSTED_PROXIES: withDefault(
    parsed((text) => networksOf(listOf(text))),
    NO_NETWORKS,
  ),
}

interface Edge {
  readonly STAGE: string
  readonly BASE_URL: URL
  readonly TRUSTED_PROXIES: Networks
}

/** What a deployed stage needs to tell who calls, and to keep what is sent. */
export const edgeDeployed: readonly Rule<Edge>[] = [
  {
    settings: ['STAGE', 'BASE_URL'],
    broken: ({ STAGE, BASE_URL }) =>
      STAGE !== 'local' && BASE_URL.protocol !== 'https:'
        ? 'BASE_URL: must be an https address on a deployed stage'
        : undefined,
  },
  {
    settings: ['STAGE', 'TRUSTED_PROXIES'],
    broken: ({ STAGE, TRUSTED_PROXIES: { tooWide } }) =>
      STAGE !== 'local' && tooWide !== undefined
        ? `TRUSTED_PROXIES: ${tooWide} holds strangers; a deployed stage takes ranges from /8 of IPv4, /7 of IPv6`
        : undefined,
  },
]
