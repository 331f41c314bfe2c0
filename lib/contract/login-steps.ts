/** The identity providers, as people know them. */
export const PROVIDER_NAMES = { google: 'Google', github: 'GitHub', facebook: 'Facebook' } as const

/** What happens in a login with a provider, in that order; not every login has every step. */
export const STEP_NAMES = ['authorization', 'callback', 'token', 'keys', 'user', 'emails'] as const

/** So many parameters of a request, and fields of an answer, are kept. */
export const MAXIMUM_FIELDS = 10

export type StepName = (typeof STEP_NAMES)[number]

/** What is checked on the way. */
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
 * How a check ended in a login that succeeded: it passed; the provider sent nothing to check, which it may; it is the
 * provider's to make; or plain OAuth2 has no such thing, and something else stands in for it.
 */
export const CHECK_RESULTS = ['PASSED', 'NOT_SENT', 'BY_PROVIDER', 'REPLACED'] as const

export type CheckResult = (typeof CHECK_RESULTS)[number]
