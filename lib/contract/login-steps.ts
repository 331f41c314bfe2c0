/** The display names of the identity providers. */
export const PROVIDER_NAMES = { google: 'Google', github: 'GitHub', facebook: 'Facebook' } as const

/** The steps of a login with a provider, in order; not every login has every step. */
export const STEP_NAMES = ['authorization', 'callback', 'token', 'keys', 'user', 'emails'] as const

/** Maximum number of parameters of a request, and of fields of an answer, that are kept. */
export const MAXIMUM_FIELDS = 10

export type StepName = (typeof STEP_NAMES)[number]

/** The checks of a login. */
export const CHECK_NAMES = [
  'transaction',
  'registration',
  'state',
  'iss',
  'pkce',
  'signature',
  'issuer',
  'audience',
  'expiry',
  'nonce',
  'subject',
] as const

export type CheckName = (typeof CHECK_NAMES)[number]

/**
 * The result of a check in a login that succeeded: it passed; the provider sent nothing to check, which is allowed; the
 * provider makes the check; or plain OAuth2 has no such check, and another one replaces it.
 */
export const CHECK_RESULTS = ['PASSED', 'NOT_SENT', 'BY_PROVIDER', 'REPLACED'] as const

export type CheckResult = (typeof CHECK_RESULTS)[number]
