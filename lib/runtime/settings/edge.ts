import { isLoopbackName, type Networks, NO_NETWORKS, networksOf } from '../address.ts'
import { choice, listOf, parsed, type Rule, text, withDefault } from '../config.ts'

const HTTP_SCHEMES = ['http:', 'https:']

/** An address without user, path, query and fragment: an origin (RFC 6454), or the base URL of the service. */
function hostUrl(text: string): URL {
  const url = URL.parse(text)
  const isHostAlone = url !== null && url.href === `${url.origin}/` && !url.hostname.includes('*')
  if (isHostAlone && HTTP_SCHEMES.includes(url.protocol)) return url
  throw new Error('must be an http or https address of scheme, host and port alone, as in https://gatehouse.example')
}

function origins(text: string): readonly string[] {
  return listOf(text).map((origin) => hostUrl(origin).origin)
}

/** The settings of every endpoint that answers HTTP. */
export const edgeSettings = {
  /** The name of the stage; `local` on this machine @internal */
  STAGE: withDefault(text, 'local'),
  /**
   * where callers reach the service: scheme, host and port alone, as `https://gatehouse.example`; on a deployed stage
   * https @default the HTTP address
   */
  BASE_URL: parsed(hostUrl),
  /** Which [credentials](api.md#profiles) are accepted */
  PROFILE: withDefault(choice(['default', 'jwt', 'jdbc', 'ldap', 'oauth2']), 'default'),
  /**
   * other origins whose pages may [call the service and read its answers](api.md#calls-from-pages-of-other-origins),
   * as `https://app.example,http://localhost:5173`; on a deployed stage https or loopback
   */
  TRUSTED_ORIGINS: withDefault(parsed(origins), []),
  /**
   * IP addresses and CIDR ranges whose `X-Forwarded-For` says where a caller is; on a deployed stage none wider than
   * /8, for IPv6 /7 @default none
   */
  TRUSTED_PROXIES: withDefault(
    parsed((text) => networksOf(listOf(text))),
    NO_NETWORKS,
  ),
}

interface Edge {
  readonly STAGE: string
  readonly BASE_URL: URL
  readonly TRUSTED_ORIGINS: readonly string[]
  readonly TRUSTED_PROXIES: Networks
}

/** What a deployed stage needs to identify callers, and to protect what they send. */
export const edgeDeployed: readonly Rule<Edge>[] = [
  {
    settings: ['STAGE', 'BASE_URL'],
    broken: ({ STAGE, BASE_URL }) =>
      STAGE !== 'local' && BASE_URL.protocol !== 'https:'
        ? 'BASE_URL: must be an https address on a deployed stage'
        : undefined,
  },
  {
    settings: ['STAGE', 'TRUSTED_ORIGINS'],
    broken: ({ STAGE, TRUSTED_ORIGINS }) =>
      STAGE === 'local' || TRUSTED_ORIGINS.every(isSecure)
        ? undefined
        : 'TRUSTED_ORIGINS: must be https addresses on a deployed stage, except loopback names',
  },
  {
    settings: ['STAGE', 'TRUSTED_PROXIES'],
    broken: ({ STAGE, TRUSTED_PROXIES: { tooWide } }) =>
      STAGE !== 'local' && tooWide !== undefined
        ? `TRUSTED_PROXIES: ${tooWide} holds strangers; a deployed stage takes ranges from /8 of IPv4, /7 of IPv6`
        : undefined,
  },
]

/** Nobody on the network can replace a page of such an origin (W3C Secure Contexts section 3.1). */
function isSecure(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopbackName(hostname)
}
