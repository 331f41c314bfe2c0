import * as z from 'zod/mini'
import { NO_NETWORKS, networksOf } from '../address.ts'
import { choice, listOf, parsed } from './values.ts'

const HTTP_SCHEMES = ['http:', 'https:']

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && HTTP_SCHEMES.includes(url.protocol)) return url
  throw new Error('must be an http or https address')
}

/** What every endpoint that answers HTTP wants to know. */
export const edgeSettings = {
  STAGE: z._default(z.string(), 'local'),
  BASE_URL: parsed(httpUrl),
  PROFILE: z._default(choice(['default', 'jwt', 'jdbc', 'ldap', 'oauth2']), 'default'),
  TRUSTED_ORIGINS: z._default(
    parsed((text) => listOf(text).map((origin) => httpUrl(origin).origin)),
    [],
  ),
  TRUSTED_PROXIES: z._default(
    parsed((text) => networksOf(listOf(text))),
    NO_NETWORKS,
  ),
}
