import type { Route } from '../endpoints/route.ts'
import type { PROVIDER_NAMES } from './login-steps.ts'

/** The pages of the console that live by script, named by the last segment of their path. */
export const SCRIPT_PAGES = ['playground', 'token', 'oauth', 'webhooks'] as const

export type ScriptPage = (typeof SCRIPT_PAGES)[number]

/** The element in which the server writes the facts, and the one in which a script shows its page. */
export const FACTS_ID = 'facts'
export const ISLAND_ID = 'island'

/** What the server tells the script of a page. */
export interface ConsoleFacts {
  /** Null for somebody who is not logged in. */
  readonly user: {
    readonly username: string
    readonly roles: readonly string[]
    readonly authType: string
    readonly sessionExpiresAt: string | undefined
  } | null
  /** For `X-XSRF-TOKEN`, with every call of the session that changes something. */
  readonly csrfToken: string
  /** Where the STOMP adapter listens; null where there is none. */
  readonly stompUrl: string | null
  readonly profile: string
  /** The credentials that the profile accepts besides a session. */
  readonly accepts: {
    readonly bearer: boolean
    readonly basic: boolean
    /** Whose passwords count, for Basic as for both logins. */
    readonly stores: readonly ('database' | 'directory')[]
  }
  /** The identity providers that a login is offered with. */
  readonly providers: readonly (keyof typeof PROVIDER_NAMES)[]
  /** Role → type of resource → the permissions on it. */
  readonly permissions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** The endpoints of that profile, by name. */
  readonly routes: Readonly<Record<string, Route>>
  /** None but on the local stage. */
  readonly demoUsers: readonly DemoUser[]
  /** Null but on the local stage. */
  readonly demoTokens: DemoTokens | null
}

/** Tokens that are signed as they should be and nevertheless taken nowhere: a page cannot sign. */
export interface DemoTokens {
  readonly expired: string
  readonly withoutRole: string
}

/** Somebody whom a local run made up, and tells everybody of. */
export interface DemoUser {
  readonly username: string
  readonly password: string
  /** Null for somebody without one. */
  readonly role: string | null
  readonly store: 'jdbc' | 'ldap'
}

/** What only a local run serves, to admins: whose webhooks it can sign, and the signing of one. */
export const LOCAL_PATHS = { senders: '/local/senders', testEvents: '/local/test-events' } as const

/** Somebody whom a local run can sign webhooks as. */
export interface LocalSender {
  /** As in the path of its webhooks. */
  readonly name: string
  readonly events: readonly string[]
  /** Those of the events whose processing can be made to fail. */
  readonly failing: readonly string[]
}

/** A webhook to be signed. */
export interface TestEvent {
  readonly source: string
  readonly event: string
  /** Whether its processing is to fail; another event, which it contradicts, goes before it. */
  readonly fails: boolean
}

/** A webhook as its provider would send it, now or never: most signatures hold for minutes only. */
export interface SignedRequest {
  readonly source: string
  /** The id that the service will know it by. */
  readonly eventId: string
  /** What it is to be answered with. */
  readonly expected: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
