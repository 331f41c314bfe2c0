/** What a browser says about where a request comes from. */
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

/**
 * Whether a request may change something as far as its origin tells: `Sec-Fetch-Site` (W3C Fetch Metadata) decides,
 * else `Origin` (RFC 6454); a request with neither does not come from a browser.
 */
export function isOriginAllowed(
  { secFetchSite, origin }: Provenance,
  own: string,
  trusted: readonly string[],
): boolean {
  if (origin !== undefined && trusted.includes(origin)) return true
  if (secFetchSite !== undefined) return OWN_SITES.includes(secFetchSite)
  return origin === undefined || origin === own
}
