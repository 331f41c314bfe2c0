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

const USAGE = 'Add header: Authorization: Bearer <ACCESS_TOKEN>'

/** The usage text of a token, in a profile that accepts it over HTTP and in one that does not (auth-19). */
export const TOKEN_USAGES = {
  http: USAGE,
  channels: `${USAGE} (this profile: gRPC and WebSocket only)`,
} as const

/** The texts of a login's answer. */
export function tokenTexts(isForHttp: boolean) {
  return {
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: isForHttp ? TOKEN_USAGES.http : TOKEN_USAGES.channels,
  }
}
