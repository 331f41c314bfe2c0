/** What a browser says about where a request comes from. */
export interface Provenance {
  readonly method: string
  readonly secFetchSite: string | undefined
  readonly origin: string | undefined
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
const OWN_SITES = ['same-origin', 'none']

/**
 * Whether a request may change something as far as its origin tells: `Sec-Fetch-Site` (W3C Fetch Metadata) decides,
 * else `Origin` (RFC 6454); a request with neither does not come from a browser.
 */
export function isOriginAllowed(
  { method, secFetchSite, origin }: Provenance,
  own: string,
  trusted: readonly string[],
): boolean {
  if (SAFE_METHODS.includes(method)) return true
  if (origin !== undefined && trusted.includes(origin)) return true
  if (secFetchSite !== undefined) return OWN_SITES.includes(secFetchSite)
  return origin === undefined || origin === own
}
