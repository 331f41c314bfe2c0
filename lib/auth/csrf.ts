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

/** What a browser sends in place of an origin that it does not tell (Fetch standard). */
const OPAQUE = 'null'

/**
 * Whether a request may change something as far as its origin tells. An `Origin` (RFC 6454) that names another site is
 * refused whatever `Sec-Fetch-Site` (W3C Fetch Metadata) says: to the browser, a page whose host name was rebound to this
 * machine is of the same origin. Otherwise `Sec-Fetch-Site` decides; a request with neither does not come from a browser.
 */
export function isOriginAllowed(
  { secFetchSite, origin }: Provenance,
  own: string,
  trusted: readonly string[],
): boolean {
  if (origin !== undefined && trusted.includes(origin)) return true
  if (origin !== undefined && origin !== own && origin !== OPAQUE) return false
  // Without a referrer, as our pages are, a form of the same origin has an opaque one.
  return secFetchSite === undefined ? origin !== OPAQUE : OWN_SITES.includes(secFetchSite)
}
