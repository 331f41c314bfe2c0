import type { TokenStatus } from '../contract/token-status.ts'
import { fail, type ServiceError } from '../errors.ts'

/** The fixed text of each status: nothing of the token gets into an answer. */
const REASONS = {
  MISSING: 'The Authorization header carries no token',
  MALFORMED: 'The token is not a signed JWT in compact form',
  UNSUPPORTED_ALGORITHM: 'The token is not signed with HS512, or demands an extension',
  INVALID_SIGNATURE: 'JWT signature does not match locally computed signature',
  MISSING_CLAIMS: 'The token lacks one of the claims sub, role, iat, exp',
  INVALID_CLAIMS: 'A claim of the token has a wrong type or value',
  EXPIRED: 'The token is past its expiry time',
  NOT_YET_VALID: 'The token is not valid yet',
  REVOKED: 'The account of the token has ended, changed or logged out since',
} as const satisfies Record<TokenStatus, string>

export function refusal(tokenStatus: Exclude<TokenStatus, 'EXPIRED'>): ServiceError {
  return fail('TOKEN_INVALID', { tokenError: REASONS[tokenStatus], tokenStatus })
}

export function expired(expiresAt: Date, now: Date): ServiceError {
  return fail('TOKEN_EXPIRED', {
    tokenError: REASONS.EXPIRED,
    tokenStatus: 'EXPIRED',
    expiredAt: expiresAt.toISOString(),
    currentTime: now.toISOString(),
  })
}
