import { getBuiltinModule } from 'node:process'

const RANDOM_BYTES = 16

/** Loaded on first use: every function can check a token, and most calls have none. */
const nodeCrypto = () => getBuiltinModule('node:crypto')

/**
 * A new CSRF token (OWASP, signed double submit). It is signed with the id of its session, which only the browser
 * knows.
 * @param sessionId empty before a login, when the token has no use
 */
export function newCsrfToken(sessionId: string): string {
  const random = nodeCrypto().randomBytes(RANDOM_BYTES).toString('base64url')
  return `${random}.${signature(sessionId, random)}`
}

export function isCsrfToken(token: string, sessionId: string): boolean {
  const [, random, given] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  return random !== undefined && given !== undefined && isEqual(given, signature(sessionId, random))
}

function signature(sessionId: string, random: string): string {
  return nodeCrypto().createHmac('sha256', sessionId).update(`csrf.${random}`).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && nodeCrypto().timingSafeEqual(one, other)
}

/** The headers by which a browser describes the origin of a request. */
export interface Provenance {
  readonly secFetchSite: string | undefined
  readonly origin: string | undefined
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** Whether a method changes nothing (RFC 9110 section 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.includes(method)
}

const OWN_SITES = ['same-origin', 'none']

/** The origin that a browser sends in place of one that it hides (Fetch standard). */
const OPAQUE = 'null'

/**
 * Whether the origin of a request allows it to change something. An `Origin` (RFC 6454) of another site is refused
 * whatever `Sec-Fetch-Site` (W3C Fetch Metadata) says: after a DNS rebinding, the browser takes a foreign page for
 * same-origin. Otherwise `Sec-Fetch-Site` decides; a request with neither does not come from a browser.
 */
export function isOriginAllowed(
  { secFetchSite, origin }: Provenance,
  own: string,
  trusted: readonly string[],
): boolean {
  if (origin !== undefined && trusted.includes(origin)) return true
  if (origin !== undefined && origin !== own && origin !== OPAQUE) return false
  // Our pages send no referrer, so their forms have an opaque origin even to this site.
  return secFetchSite === undefined ? origin !== OPAQUE : OWN_SITES.includes(secFetchSite)
}

/** The paths of pages stay far below this limit; a cookie carries the address, so it must be short. */
const MAXIMUM_LENGTH = 300

/** One slash, then printable ASCII without a backslash: browsers read `//`, `/\` and a tab between them as a host. */
const LOCAL_PATH = /^\/(?![/\\])[!-[\]-~]*$/

/** The page after a login: the requested path if it is one of this service, else the start page. */
export function returnAddress(wanted: string | undefined, baseUrl: URL): string {
  return wanted !== undefined && isOurs(wanted, baseUrl) ? wanted : '/'
}

function isOurs(wanted: string, baseUrl: URL): boolean {
  if (wanted.length > MAXIMUM_LENGTH || !LOCAL_PATH.test(wanted) || !URL.canParse(wanted, baseUrl.href)) return false
  return new URL(wanted, baseUrl).origin === baseUrl.origin
}
