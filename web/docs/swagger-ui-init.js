/** @typedef {{ credentials: string, readonly headers: Record<string, string> }} Call */

/**
 * A call with credentials of its own sends no cookie, so no browser asks for a password. A call without them sends the
 * session, with the CSRF token that its changes need.
 * @param {Call} call
 */
function withCredentials(call) {
  const [, csrfToken] = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? []
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
