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
  /** The only profile, beside the default one, that has it; every profile, unless it says otherwise. */
  readonly profile?: 'jdbc' | 'ldap' | 'oauth2'
  /** `api`, unless it says otherwise. */
  readonly errors?: ErrorFormat
}

/** What routes have whose handler is given no principal. */
export interface Open {
  readonly access: 'public' | 'signature'
}

/** What routes have that change nothing on behalf of a caller whom a browser may have sent. */
export type Unchanging = { readonly method: 'GET' } | { readonly access: 'signature' }
