import type { TokenStatus } from '../../lib/contract/token-status.ts'

/** A check of a token, and where its code is. */
interface TokenCheck {
  readonly title: string
  /** What has to hold. */
  readonly about: string
  /** A path in the repository. */
  readonly file: string
  /** The function that refuses. */
  readonly name: string
}

export const TOKEN_CHECKS: Readonly<Record<TokenStatus, TokenCheck>> = {
  MISSING: {
    title: 'Present',
    about: 'a token follows Bearer',
    file: 'lib/auth/jwt.ts',
    name: 'readCompactJwt',
  },
  MALFORMED: {
    title: 'Well formed',
    about: 'three parts in base64url, the first two JSON objects',
    file: 'lib/auth/jwt.ts',
    name: 'readCompactJwt',
  },
  UNSUPPORTED_ALGORITHM: {
    title: 'Algorithm',
    about: 'HS512, without extensions',
    file: 'lib/auth/jwt.ts',
    name: 'readCompactJwt',
  },
  INVALID_SIGNATURE: {
    title: 'Signature',
    about: 'made with a key of the service over header and claims',
    file: 'lib/auth/token.ts',
    name: 'checkSignature',
  },
  MISSING_CLAIMS: {
    title: 'Claims present',
    about: 'sub, role, iat, exp; with a kid also iss and aud',
    file: 'lib/auth/claims.ts',
    name: 'readClaims',
  },
  INVALID_CLAIMS: {
    title: 'Claims valid',
    about: 'right types, a known role, our issuer and audience',
    file: 'lib/auth/claims.ts',
    name: 'readClaims',
  },
  EXPIRED: { title: 'Not expired', about: 'exp is in the future', file: 'lib/auth/claims.ts', name: 'checkTimes' },
  NOT_YET_VALID: {
    title: 'Already valid',
    about: 'iat and nbf are in the past',
    file: 'lib/auth/claims.ts',
    name: 'checkTimes',
  },
  REVOKED: {
    title: 'Account',
    about: 'exists, is enabled, has the role, and has not logged out since; only where a call changes something',
    file: 'lib/auth/account-gate.ts',
    name: 'confirm',
  },
}
