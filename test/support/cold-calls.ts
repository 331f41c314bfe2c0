/** An HTTP API's event with what functions read of it. */
export function httpEvent(method: string, rawPath: string, body = '', headers = {}) {
  return {
    rawPath,
    rawQueryString: '',
    headers,
    body,
    requestContext: { requestId: '1', http: { method, sourceIp: '127.0.0.1' } },
  }
}

const PAYMENT = '{"transactionId":"t","orderId":"o","status":"COMPLETED","currency":"EUR","amount":1}'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A first call for each function, by the path of its bundle; most of them are refused. */
export const COLD_CALLS: readonly (readonly [string, object])[] = [
  ['api/public-hello', httpEvent('GET', '/api/public/hello')],
  ['api/admin-secure', httpEvent('GET', '/api/admin/secure', '', { authorization: 'Bearer a.b.c' })],
  ['api/auth-info', httpEvent('GET', '/api/auth/info')],
  ['api/user-secure', httpEvent('GET', '/api/user/secure')],
  ['api/oauth2-steps', httpEvent('GET', '/api/oauth2/steps')],
  ['fallback', httpEvent('GET', '/nothing')],
  ['docs/openapi', httpEvent('GET', '/openapi.json')],
  ['docs/page', httpEvent('GET', '/docs')],
  ['api/jdbc-users', httpEvent('GET', '/api/jdbc/users', '', { authorization: 'Basic YTpi' })],
  ['api/users-create', httpEvent('POST', '/api/users', '{}', { 'content-type': 'application/json' })],
  ['api/users', httpEvent('GET', '/api/users')],
  ['api/users-update', httpEvent('PATCH', '/api/users/a', '{}', { 'content-type': 'application/json' })],
  ['api/user-sessions', httpEvent('GET', '/api/users/a/sessions')],
  ['api/user-passkeys', httpEvent('GET', '/api/users/a/passkeys')],
  ['api/user-keys', httpEvent('GET', '/api/users/a/keys')],
  ['api/account-password', httpEvent('POST', '/api/account/password', '{}', { 'content-type': 'application/json' })],
  ['api/account-sessions', httpEvent('GET', '/api/account/sessions')],
  ['login/page', httpEvent('GET', '/login')],
  ['console/page', httpEvent('GET', '/console/token')],
  ['console/asset', httpEvent('GET', '/assets/nothing')],
  ['login/oauth2-start', httpEvent('GET', '/oauth2/authorization/google')],
  ['login/oauth2-callback', httpEvent('GET', '/login/oauth2/code/google')],
  ['login/form', httpEvent('POST', '/login', 'username=a&password=b', FORM)],
  ['api/auth-login', httpEvent('POST', '/api/auth/login', 'username=a&password=b', FORM)],
  ['api/audit-trail', httpEvent('GET', '/api/audit')],
  ['api/messages-create', httpEvent('POST', '/api/messages', '{}', { 'content-type': 'application/json' })],
  ['api/webhook-events', httpEvent('GET', '/api/webhooks/events')],
  ['api/webhook-event', httpEvent('GET', '/api/webhooks/events/a/b')],
  ['api/webhook-event-payload', httpEvent('GET', '/api/webhooks/events/a/b/payload')],
  ['api/webhook-event-retry', httpEvent('POST', '/api/webhooks/events/a/b/retry')],
  ['api/webhook-refusals', httpEvent('GET', '/api/webhooks/refusals')],
  ['api/replays-create', httpEvent('POST', '/api/webhooks/replays')],
  ['api/replay', httpEvent('GET', '/api/webhooks/replays/a')],
  ['webhooks/payment', httpEvent('POST', '/webhooks/payment', PAYMENT)],
  ['webhooks/order-status', httpEvent('POST', '/webhooks/order-status', '{}')],
  ['webhooks/stripe', httpEvent('POST', '/webhooks/stripe', '{}')],
  ['webhooks/github', httpEvent('POST', '/webhooks/github', '{}')],
  ['webhooks/provider', httpEvent('POST', '/webhooks/demo', '{}')],
  ['webhooks/challenge', httpEvent('GET', '/webhooks/dropbox')],
  ['jobs/retry-event', { Records: [{ messageId: '1', body: '{"source":"payment","eventId":"e","n":0}' }] }],
  ['jobs/retry-scan', {}],
  ['jobs/replay-step', { Records: [{ messageId: '1', body: '{"replayId":"r","step":0}' }] }],
]
