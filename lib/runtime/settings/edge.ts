import { NO_NETWORKS, networksOf } from '../address.ts'
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
