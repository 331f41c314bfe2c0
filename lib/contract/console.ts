/** The pages of the console that are rendered by a script, named by the last segment of their path. */
export const SCRIPT_PAGES = [
  'webhooks',
  'refused',
  'destinations',
  'deliveries',
  'replays',
  'payments',
  'playground',
  'token',
  'oauth',
  'users',
  'keys',
  'audit',
  'account',
] as const

export type ScriptPage = (typeof SCRIPT_PAGES)[number]

/** The ids of elements: the server writes the facts into one, and a script shows its page in the other. */
export const FACTS_ID = 'facts'
export const ISLAND_ID = 'island'

/** Whether accounts may have passkeys. Browsers keep none for an IP address: `needs-name`. */
export type PasskeyOffer = 'on' | 'off' | 'needs-name'

/** The facts that the server passes to a page's script. */
export interface ConsoleFacts {
  /** Null if the caller is not logged in. */
  readonly user: {
    readonly username: string
    readonly roles: readonly string[]
    readonly authType: string
    readonly sessionExpiresAt: string | undefined
  } | null
  /** The address of the sprite of symbols. */
  readonly icons: string
  /** For `X-XSRF-TOKEN`, in every call of the session that changes something. */
  readonly csrfToken: string
  /** The address of the STOMP adapter; null if there is none. */
  readonly stompUrl: string | null
  /** Where gRPC listens, with its scheme; null if unknown. */
  readonly grpcUrl: string | null
  readonly profile: string
  /** The credentials that the profile accepts in addition to a session. */
  readonly accepts: {
    readonly bearer: boolean
    readonly basic: boolean
    /** The stores whose passwords are accepted, for Basic and for both logins. */
    readonly stores: readonly ('database' | 'directory')[]
  }
  /** The identity providers that the login offers. */
  readonly providers: readonly { readonly id: string; readonly label: string }[]
  readonly passkeys: PasskeyOffer
  /** Role → resource type → the role's permissions on it. */
  readonly permissions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Empty except on the local stage. */
  readonly demoUsers: readonly DemoUser[]
  /** Null except on the local stage. */
  readonly demoTokens: DemoTokens | null
}

/** Correctly signed tokens that are refused: a page cannot sign. Only calls that change something refuse `revoked`. */
export interface DemoTokens {
  readonly expired: string
  readonly notYetValid: string
  readonly withoutRole: string
  readonly unknownRole: string
  readonly revoked: string
}

/** A demo user of a local run, whose password is public. */
export interface DemoUser {
  readonly username: string
  readonly password: string
  /** Null for a user without a role. */
  readonly role: string | null
  readonly store: 'jdbc' | 'ldap'
}

/**
 * Paths that only a local run serves, to admins: the senders whose webhooks it can sign, and the signing of a webhook.
 */
export const LOCAL_PATHS = { senders: '/local/senders', testEvents: '/local/test-events' } as const

/** A sender whose webhooks a local run can sign. */
export interface LocalSender {
  /** As in the path of the sender's webhooks. */
  readonly name: string
  readonly events: readonly string[]
  /** The events whose processing can be made to fail. */
  readonly failing: readonly string[]
}

/** An order to sign a webhook. */
export interface TestEvent {
  readonly source: string
  readonly event: string
  /** Whether processing must fail; if so, an event that contradicts it is sent first. */
  readonly fails: boolean
}

/** A webhook as its provider would send it. Send it at once: most signatures are good only for minutes. */
export interface SignedRequest {
  readonly source: string
  /** The id under which the service will store the event; null if it is created only then. */
  readonly eventId: string | null
  /** The expected status of the answer. */
  readonly expected: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * The login page that returns to an address of this service.
 * @param returnTo its path and query
 * @param notice the name of the notice on the page
 */
export function loginAddress(returnTo: string, notice?: string): string {
  const parameters = [notice, returnTo === '/' ? undefined : `returnTo=${encodeURIComponent(returnTo)}`]
  const query = parameters.filter((parameter) => parameter !== undefined).join('&')
  return query === '' ? '/login' : `/login?${query}`
}

/**
 * Characters of foreign texts that are invisible or turn others around (Unicode UTS 55): controls, formats, surrogates, line
 * ends, and whatever is not drawn. Not U+FE0F, which only chooses the look of an emoji.
 */
export const UNSEEN = /(?!\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** As `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The id of the element with the operations of the reference, as JSON. */
export const OPERATIONS_ID = 'operations'

/** An operation of the API, as the reference calls it. */
export interface TriedOperation {
  /** Its name in the description, and the id of its section. */
  readonly id: string
  readonly method: string
  /** With names in braces. */
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    /** What is there at first. */
    readonly value: string
  }[]
  /** The media type of its body, if it reads one. */
  readonly type?: string
  /** A body that fits. */
  readonly body?: string
}
