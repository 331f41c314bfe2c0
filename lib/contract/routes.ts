/**
 * Who gets in: `public` ignores credentials; `authenticated` wants any valid ones; a role wants that role or a higher
 * one, a permission besides what the role carries on the type of the resource; `signature` leaves the decision to the
 * webhook's signature scheme.
 */
export type Access = 'public' | 'authenticated' | 'signature' | Demand

interface Demand {
  readonly role: 'ROLE_ADMIN' | 'ROLE_USER'
  readonly permission?: { readonly name: 'CREATE' | 'DELETE'; readonly on: 'User' }
}

/** Which credentials count: every kind that the profile accepts, or one kind only. */
export type Credentials = 'any' | 'database' | 'directory' | 'session'

/** The shape of an endpoint's errors: spec 2.3, the webhook response of spec 2.4, or the plain text of spec 4.2. */
export type ErrorFormat = 'api' | 'webhook' | 'text'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As serverless.yml spells it: a segment in braces is a parameter. */
  readonly path: string
  /** The only providers that the path may name; any, unless it says otherwise. */
  readonly providers?: readonly string[]
  readonly access: Access
  /** Any, unless it says otherwise. */
  readonly credentials?: Credentials
  readonly profile: 'all' | 'jdbc' | 'ldap' | 'oauth2'
  readonly errors: ErrorFormat
}

/** Every endpoint, once: the gateway's routes and the 405 answers are checked against it, the README's table is made of it. */
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
  jdbcUsers: {
    method: 'GET',
    path: '/api/jdbc/users',
    access: 'authenticated',
    credentials: 'database',
    profile: 'jdbc',
    errors: 'api',
  },
  ldapUsers: {
    method: 'GET',
    path: '/api/ldap/users',
    access: 'authenticated',
    credentials: 'directory',
    profile: 'ldap',
    errors: 'api',
  },
  oauth2Profile: {
    method: 'GET',
    path: '/api/oauth2/profile',
    access: 'authenticated',
    credentials: 'session',
    profile: 'oauth2',
    errors: 'api',
  },
  oauth2Steps: {
    method: 'GET',
    path: '/api/oauth2/steps',
    access: 'authenticated',
    credentials: 'session',
    profile: 'oauth2',
    errors: 'api',
  },
  usersCreate: {
    method: 'POST',
    path: '/api/users',
    access: { role: 'ROLE_ADMIN', permission: { name: 'CREATE', on: 'User' } },
    profile: 'all',
    errors: 'api',
  },
  usersDelete: {
    method: 'DELETE',
    path: '/api/users/{userId}',
    access: { role: 'ROLE_ADMIN', permission: { name: 'DELETE', on: 'User' } },
    profile: 'all',
    errors: 'api',
  },
  home: { method: 'GET', path: '/', access: 'public', profile: 'all', errors: 'api' },
  loginPage: { method: 'GET', path: '/login', access: 'public', profile: 'all', errors: 'api' },
  loginForm: { method: 'POST', path: '/login', access: 'public', profile: 'all', errors: 'api' },
  logout: { method: 'POST', path: '/logout', access: 'public', profile: 'all', errors: 'api' },
  oauth2Start: {
    method: 'GET',
    path: '/oauth2/authorization/{registrationId}',
    access: 'public',
    profile: 'oauth2',
    errors: 'api',
  },
  oauth2Callback: {
    method: 'GET',
    path: '/login/oauth2/code/{registrationId}',
    access: 'public',
    profile: 'oauth2',
    errors: 'api',
  },
  consolePage: { method: 'GET', path: '/console/{page}', access: 'public', profile: 'all', errors: 'api' },
  consoleAsset: { method: 'GET', path: '/assets/{name}', access: 'public', profile: 'all', errors: 'api' },
  webhookEvents: {
    method: 'GET',
    path: '/api/webhooks/events',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  webhookEvent: {
    method: 'GET',
    path: '/api/webhooks/events/{source}/{eventId}',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  webhookEventPayload: {
    method: 'GET',
    path: '/api/webhooks/events/{source}/{eventId}/payload',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  webhookEventRetry: {
    method: 'POST',
    path: '/api/webhooks/events/{source}/{eventId}/retry',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  replaysCreate: {
    method: 'POST',
    path: '/api/webhooks/replays',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  replay: {
    method: 'GET',
    path: '/api/webhooks/replays/{replayId}',
    access: { role: 'ROLE_ADMIN' },
    profile: 'all',
    errors: 'api',
  },
  webhookPayment: { method: 'POST', path: '/webhooks/payment', access: 'signature', profile: 'all', errors: 'webhook' },
  webhookOrderStatus: {
    method: 'POST',
    path: '/webhooks/order-status',
    access: 'signature',
    profile: 'all',
    errors: 'webhook',
  },
  webhookStripe: { method: 'POST', path: '/webhooks/stripe', access: 'signature', profile: 'all', errors: 'text' },
  webhookGithub: { method: 'POST', path: '/webhooks/github', access: 'signature', profile: 'all', errors: 'text' },
  webhookProvider: {
    method: 'POST',
    path: '/webhooks/{provider}',
    access: 'signature',
    profile: 'all',
    errors: 'text',
  },
  webhookChallenge: {
    method: 'GET',
    path: '/webhooks/{provider}',
    providers: ['dropbox', 'meta'],
    access: 'signature',
    profile: 'all',
    errors: 'text',
  },
  openapi: { method: 'GET', path: '/openapi.json', access: 'public', profile: 'all', errors: 'api' },
  docs: { method: 'GET', path: '/docs', access: 'public', profile: 'all', errors: 'api' },
  docsAsset: { method: 'GET', path: '/docs/{asset}', access: 'public', profile: 'all', errors: 'api' },
} as const satisfies Record<string, Route>

export type Routes = typeof ROUTES
export type EndpointName = keyof Routes

/** What routes have whose handler is given no principal. */
export interface Open {
  readonly access: 'public' | 'signature'
}

/** What routes have that change nothing on behalf of a caller whom a browser may have sent. */
export type Unchanging = { readonly method: 'GET' } | { readonly access: 'signature' }
