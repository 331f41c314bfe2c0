/**
 * Who gets in: `public` ignores credentials; `authenticated` wants any valid ones; a role wants that role or a higher
 * one; `signature` leaves the decision to the webhook's signature scheme.
 */
export type Access = 'public' | 'authenticated' | 'signature' | { readonly role: 'ROLE_ADMIN' | 'ROLE_USER' }

/** The shape of an endpoint's errors: spec 2.3, the webhook response of spec 2.4, or the plain text of spec 4.2. */
export type ErrorFormat = 'api' | 'webhook' | 'text'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As serverless.yml spells it: a segment in braces is a parameter. */
  readonly path: string
  readonly access: Access
  readonly profile: 'all' | 'jdbc' | 'ldap' | 'oauth2'
  readonly errors: ErrorFormat
}

/** Every endpoint, once: the gateway's routes, the 405 answers and the README's table are checked against it. */
export const ROUTES = {
  publicHello: { method: 'GET', path: '/api/public/hello', access: 'public', profile: 'all', errors: 'api' },
  authLogin: { method: 'POST', path: '/api/auth/login', access: 'public', profile: 'all', errors: 'api' },
  authInfo: { method: 'GET', path: '/api/auth/info', access: 'authenticated', profile: 'all', errors: 'api' },
  adminSecure: {
    method: 'GET',
    path: '/api/admin/secure',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  userSecure: { method: 'GET', path: '/api/user/secure', access: { role: 'ROLE_USER' }, profile: 'all', errors: 'api' },
  webhookEvent: {
    method: 'GET',
    path: '/api/webhooks/events/{source}/{eventId}',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  webhookPayment: { method: 'POST', path: '/webhooks/payment', access: 'signature', profile: 'all', errors: 'webhook' },
  webhookStripe: { method: 'POST', path: '/webhooks/stripe', access: 'signature', profile: 'all', errors: 'text' },
} as const satisfies Record<string, Route>

export type Routes = typeof ROUTES
export type EndpointName = keyof Routes

/** The endpoints whose handler is given a principal. */
export type GuardedName = {
  [N in EndpointName]: Routes[N]['access'] extends 'public' | 'signature' ? never : N
}[EndpointName]
