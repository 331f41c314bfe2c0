/**
 * Only files and forms of this service: no inline script or style, no frames in either direction, no foreign source,
 * and no text that becomes script (W3C Content Security Policy Level 3, Trusted Types). Scripts reach the service and
 * the STOMP adapter.
 */
export function contentSecurityPolicy(stompUrl: URL | undefined): string {
  const connect = ["'self'", ...(stompUrl ? [stompUrl.origin] : [])]
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect.join(' ')}; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
}
