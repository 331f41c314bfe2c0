/** @typedef {{ credentials: string, readonly headers: Record<string, string> }} Call */

/**
 * A call with credentials of its own carries no cookie, and so no browser asks for a password; one without carries the
 * session, with the token that its changes need.
 * @param {Call} call
 */
function withCredentials(call) {
  const [, csrfToken] = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? []
  const isOwn = call.headers['Authorization'] !== undefined
  call.credentials = isOwn ? 'omit' : 'same-origin'
  if (!isOwn && csrfToken !== undefined) call.headers['X-XSRF-TOKEN'] = csrfToken
  return call
}

/** What the script before this one leaves behind. */
const { SwaggerUIBundle: show } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
  /** @type {unknown} */ (window)
)

show({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  deepLinking: true,
  requestInterceptor: withCredentials,
  // Nobody else is asked whether the description is valid.
  validatorUrl: null,
})
