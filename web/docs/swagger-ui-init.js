/** @typedef {{ credentials: string, readonly headers: Record<string, string> }} Call */

/** Over https no other site of the domain can set the cookie. */
const CSRF_COOKIE = location.protocol === 'https:' ? '__Host-XSRF-TOKEN=' : 'XSRF-TOKEN='

/**
 * A call with credentials of its own sends no cookie, so no browser asks for a password. A call without them sends the
 * session, with the CSRF token that its changes need.
 * @param {Call} call
 */
function withCredentials(call) {
  const csrfToken = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(CSRF_COOKIE))
    ?.slice(CSRF_COOKIE.length)
  const isOwn = call.headers['Authorization'] !== undefined
  call.credentials = isOwn ? 'omit' : 'same-origin'
  if (!isOwn && csrfToken !== undefined) call.headers['X-XSRF-TOKEN'] = csrfToken
  return call
}

/** The global that the previous script defines. */
const { SwaggerUIBundle: show } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
  /** @type {unknown} */ (window)
)

show({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  deepLinking: true,
  requestInterceptor: withCredentials,
  // No other service validates the description.
  validatorUrl: null,
})
