import { isLoopbackName, type Networks, NO_NETWORKS, networksOf } from '../address.ts'
import { choice, listOf, optional, parsed, type Rule, text, withDefault } from '../config.ts'

const HTTP_SCHEMES = ['http:', 'https:']

/** An address without user, path, query and fragment: an origin (RFC 6454), or the base URL of the service. */
function hostUrl(text: string): URL {
  const url = URL.parse(text)
  const isHostAlone = url !== null && url.href === `${url.origin}/` && !url.hostname.includes('*')
  if (isHostAlone && HTTP_SCHEMES.includes(url.protocol)) return url
  throw new Error('must be an http or https address of scheme, host and port alone, as in https://gatehouse.example')
}

/** The origin of an app or of a browser's extension, as `capacitor://localhost`. */
const APP = /^(?!(?:https?|file|data|javascript):)[a-z][a-z\d+.-]*:\/\/[\w.-]+$/

function origins(text: string): readonly string[] {
  return listOf(text).map((origin) => (APP.test(origin) ? origin : hostUrl(origin).origin))
}

/** The `name` of the configuration, if it has none. */
export const SERVICE = 'gatehouse'

/** What a deployment is called. */
export const serviceSettings = {
  /** The name of the stage; `local` on this machine @internal */
  STAGE: withDefault(text, 'local'),
  /** The name of the service @internal */
  SERVICE_NAME: withDefault(text, SERVICE),
}

/** The dimension of its metrics. */
export function serviceOf({ SERVICE_NAME, STAGE }: { readonly SERVICE_NAME: string; readonly STAGE: string }): string {
  return `${SERVICE_NAME}-${STAGE}`
}

/** The settings of every endpoint that answers HTTP. */
export const edgeSettings = {
  ...serviceSettings,
  /**
   * where callers reach the service: scheme, host and port alone, as `https://gatehouse.example`; on a deployed stage
   * https @default the HTTP address
   */
  BASE_URL: parsed(hostUrl),
  /** Which [credentials](api.md#profiles) are accepted */
  PROFILE: withDefault(choice(['default', 'jwt', 'jdbc', 'ldap', 'oauth2']), 'default'),
  /**
   * `on`, `off`: HTTP Basic at [operators' endpoints](reference/auth.md#auth-12), whose functions otherwise have no right to
   * password hashes @default `on` locally and in the profiles `jdbc` and `ldap`, else `off`
   */
  BASIC_FOR_OPERATORS: optional(choice(['on', 'off'])),
  /**
   * other origins whose pages may [call the service and read its answers](api.md#calls-from-pages-of-other-origins),
   * as `https://app.example,http://localhost:5173`, and those of apps and extensions, as `capacitor://localhost`; on a
   * deployed stage none over http but loopback
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

/** The texts of a list; the message names none of them. */
function edgeSecrets(text: string): readonly string[] {
  const secrets = listOf(text)
  if (secrets.length > 0 && secrets.length < 3 && secrets.every((one) => /^[\w-]{32,128}$/.test(one))) return secrets
  throw new Error('must be one or two texts of 32 to 128 letters, digits, - and _, separated by a comma')
}

/** What a function behind CloudFront knows calls by that came through it. */
export const originSettings = {
  /** one secret, or two during a rotation @internal */
  EDGE_SECRETS: withDefault(parsed(edgeSecrets), []),
}

/** Without the setting, where a profile takes no tokens, and on a laptop. */
export function isBasicForOperators(given: { readonly [N in 'STAGE' | 'PROFILE' | 'BASIC_FOR_OPERATORS']?: unknown }) {
  const usual = given.STAGE === 'local' || given.PROFILE === 'jdbc' || given.PROFILE === 'ldap'
  return given.BASIC_FOR_OPERATORS ? given.BASIC_FOR_OPERATORS === 'on' : usual
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
        : 'TRUSTED_ORIGINS: must not be http addresses on a deployed stage, except loopback names',
  },
  {
    settings: ['STAGE', 'TRUSTED_PROXIES'],
    broken: ({ STAGE, TRUSTED_PROXIES: { tooWide } }) =>
      STAGE !== 'local' && tooWide !== undefined
        ? `TRUSTED_PROXIES: ${tooWide} holds strangers; a deployed stage takes ranges from /8 of IPv4, /7 of IPv6`
        : undefined,
  },
]

/** Nobody on the network can replace a page of such an origin, or an app (W3C Secure Contexts section 3.1). */
function isSecure(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol !== 'http:' || isLoopbackName(hostname)
}
