/** The defects of a token, in the order in which they are checked (auth-34). */
export const TOKEN_STATUSES = [
  'MISSING',
  'MALFORMED',
  'UNSUPPORTED_ALGORITHM',
  'INVALID_SIGNATURE',
  'MISSING_CLAIMS',
  'INVALID_CLAIMS',
  'EXPIRED',
  'NOT_YET_VALID',
  'REVOKED',
] as const

export type TokenStatus = (typeof TOKEN_STATUSES)[number]
