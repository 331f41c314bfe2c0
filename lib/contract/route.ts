import type { TrailAction, TrailTargetType } from './requests/trail.ts'

/**
 * Who may call: `public` ignores credentials; `authenticated` requires any valid ones; a role requires that role or a
 * higher one; a permission additionally requires that the role has it on the resource type; `signature` leaves the
 * decision to the webhook's signature scheme.
 */
export type Access = 'public' | 'authenticated' | 'signature' | Demand

interface Demand {
  readonly role: 'ROLE_ADMIN' | 'ROLE_USER'
  readonly permission?: { readonly name: 'CREATE' | 'READ' | 'UPDATE' | 'DELETE'; readonly on: 'User' }
}

/** The action that the audit trail records for a call. */
export interface TrailRule {
  readonly action: TrailAction
  /** What the parameters of the path name; without parameters, the caller's account. Absent if the handler says it. */
  readonly target?: TrailTargetType
  /** The members of the input that are new values. */
  readonly names?: readonly string[]
  /** Whether the row stands alone, stored before the answer: always for GET, which changes nothing. */
  readonly isAlone?: true
}

/** The accepted credentials: every kind that the profile accepts, the same or an API key, or one kind only. */
export type Credentials = 'any' | 'any-or-key' | 'database' | 'directory' | 'session'

/** The shape of an endpoint's errors: API (http-17), JSON of a webhook (webhooks-37), or plain text (webhooks-38). */
export type ErrorFormat = 'api' | 'webhook' | 'text'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As in serverless.yml: a segment in braces is a parameter. */
  readonly path: string
  /** Set if this GET changes something: HEAD is then none of its methods (http-5). */
  readonly changes?: true
  /** Set if GET is only for sources whose provider asks by it whether the address is ours; HEAD is for every source. */
  readonly isChallenge?: true
  readonly access: Access
  /** Any if absent. */
  readonly credentials?: Credentials
  /** How old the caller's login may be: for what makes a credential, so that a stolen session or token makes none. */
  readonly loginWithinSeconds?: number
  /** The only profile, beside the default one, that has it; every profile if absent. */
  readonly profile?: 'jdbc' | 'ldap' | 'oauth2'
  /** `api` if absent. */
  readonly errors?: ErrorFormat
  /** Only with credentials: it is about who did it. */
  readonly audit?: TrailRule
}

const OPERATORS = /^\/api\/(?:audit|destinations|keys|messages|orders|payments|users|webhooks)(?:\/|$)/

/** Whether it is for operators, at whose endpoints a deployed stage takes no HTTP Basic (`BASIC_FOR_OPERATORS`). */
export function isOperators({ path }: Pick<Route, 'path'>): boolean {
  return OPERATORS.test(path)
}

/** Routes whose handler receives no principal. */
export interface Open {
  readonly access: 'public' | 'signature'
}

/** Routes that change nothing on behalf of a caller whom a browser may have sent. */
export type Unchanging = { readonly method: 'GET' } | { readonly access: 'signature' }

/**
 * A request that changes nothing, or only something that expires within a minute. One that could change more is left
 * incomplete (400), or names something that does not exist (404). The auth lab and the tests of the packaged functions
 * send it.
 */
export interface SampleRequest {
  /** The values for the braces of the path. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: string
  readonly json?: object
  /** The status that a caller with access receives. */
  readonly granted: number
}

/** The sample of an API endpoint without a sample of its own: a read that needs only its path. */
export function plainRequest({ method, path }: Route): SampleRequest | undefined {
  return method === 'GET' && path.startsWith('/api/') && !path.includes('{') ? { granted: 200 } : undefined
}
