/** The steps of a login with a provider, in order; not every login has every step. */
export const STEP_NAMES = ['authorization', 'callback', 'token', 'keys', 'user', 'emails'] as const

/** Maximum number of parameters of a request, and of fields of an answer, that are kept. */
export const MAXIMUM_FIELDS = 10

export type StepName = (typeof STEP_NAMES)[number]

/** The checks of a login, in the order in which they are made. */
export const CHECK_NAMES = [
  'transaction',
  'state',
  'registration',
  'iss',
  'answer',
  'code',
  'pkce',
  'algorithm',
  'expiry',
  'issuer',
  'audience',
  'nonce',
  'signature',
  'subject',
  'role',
] as const

export type CheckName = (typeof CHECK_NAMES)[number]

/**
 * The result of a check in a login that succeeded: it passed; the provider sent nothing to check, which is allowed; the
 * provider makes the check; or plain OAuth2 has no such check, and another one replaces it.
 */
export const CHECK_RESULTS = ['PASSED', 'NOT_SENT', 'BY_PROVIDER', 'REPLACED'] as const

export type CheckResult = (typeof CHECK_RESULTS)[number]

/** A parameter of a request or a field of an answer; the value as it may be shown. */
export interface LoginField {
  readonly name: string
  readonly value: string
}

export interface LoginCheck {
  readonly name: CheckName
  readonly result: CheckResult
  /** What was compared, as far as it may be shown. */
  readonly value?: string | undefined
}

/** A message of a login, its answer, and the checks that passed. */
export interface LoginStep {
  readonly name: StepName
  readonly method: string
  /** Without the query. */
  readonly url: string
  readonly sent: readonly LoginField[]
  /** Missing where the browser, and not this service, got the answer. */
  readonly answer?: { readonly status: number; readonly fields: readonly LoginField[] } | undefined
  readonly checks: readonly LoginCheck[]
}

/** The check that refused a login, and what it compared, as far as it may be shown. */
export interface RefusingCheck {
  readonly check: CheckName
  readonly expected?: string | undefined
  readonly got?: string | undefined
}

/** A login that the local stage refused, for the browser that tried it. */
export interface RefusedLogin {
  /** The name of an attempt of the lab; empty for any other login. */
  readonly lab: string
  readonly provider: string
  /** ISO 8601 */
  readonly at: string
  readonly steps: readonly LoginStep[]
  /** As in the log. */
  readonly reason: string
  /** What to change, as in the log. */
  readonly change: string
  /** Undefined if it was no check: the provider did not answer, or sent something unreadable. */
  readonly refused?: RefusingCheck | undefined
}

/** The cookie with a {@link RefusedLogin}: its JSON, deflated, in base64url. Only the local stage sets it. */
export const REFUSED_LOGIN = { cookie: 'oauth2_refused', path: '/console/oauth', seconds: 600 } as const

/** The parameter of a callback that asks the local stage to show why it refused: the name of the attempt. */
export const LAB_PARAMETER = 'lab'
