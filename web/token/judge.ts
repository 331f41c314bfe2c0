import { checkTimes, readClaims } from '../../lib/auth/claims.ts'
import { TOKEN_STATUSES, type TokenStatus } from '../../lib/contract/tokens.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Members } from '../json.ts'
import type { CheckStep } from '../ui/steps.tsx'
import type { TokenVerdict } from './calls.ts'
import { decode, membersOf } from './token.ts'

/** As in lib/auth/jwt.ts. */
const MAXIMUM_LENGTH = 4096
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** The 64 bytes of an HMAC with SHA-512, in base64url. */
const SIGNATURE_LENGTH = 86

/**
 * The first check that the page alone knows to refuse the token; undefined if it knows of none. Only the service can
 * compute signatures and look at accounts.
 * @param isEdited whether it differs from what was signed
 */
export function ownVerdict(token: string, isEdited: boolean, now: Date): TokenStatus | undefined {
  if (token === '') return 'MISSING'
  const decoded = decode(token)
  if (token.length > MAXIMUM_LENGTH || !SHAPE.test(token)) return 'MALFORMED'
  if (decoded.header.kind !== 'object' || decoded.payload.kind !== 'object') return 'MALFORMED'
  const [header, payload] = [membersOf(decoded.header), membersOf(decoded.payload)]
  if (header['alg'] !== 'HS512' || header['crit'] !== undefined) return 'UNSUPPORTED_ALGORITHM'
  if (isEdited || decoded.signature.length !== SIGNATURE_LENGTH) return 'INVALID_SIGNATURE'
  return claimsVerdict(header, payload, now)
}

/** The service's own rules. */
function claimsVerdict(header: Members, payload: Members, now: Date): TokenStatus | undefined {
  try {
    checkTimes(readClaims({ header, payload }), now)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return TOKEN_STATUSES.find((status) => status === error.details?.['tokenStatus'])
    throw error
  }
}

/** `open` is for the service to say. */
export type TokenCheckResult = 'passed' | 'refused' | 'unreached' | 'open'

/** What a page cannot check. */
const ONLY_SERVICE: readonly TokenStatus[] = ['INVALID_SIGNATURE', 'REVOKED']

/** The result of each check, in the order of the service; by its answer if it was asked. */
export function resultsOf(own: TokenStatus | undefined, answer?: TokenVerdict): readonly TokenCheckResult[] {
  if (answer === 'VALID') return TOKEN_STATUSES.map(() => 'passed')
  const asked = TOKEN_STATUSES.find((status) => status === answer)
  const refused = TOKEN_STATUSES.findIndex((status) => status === (asked ?? own))
  return TOKEN_STATUSES.map((status, index) => {
    if (index === refused) return 'refused'
    if (refused >= 0 && index > refused) return 'unreached'
    return asked === undefined && ONLY_SERVICE.includes(status) ? 'open' : 'passed'
  })
}

/** A check of a token. */
interface TokenCheck {
  readonly title: string
  /** What has to hold. */
  readonly about: string
  /** A path in the repository, and the function that refuses. */
  readonly place: string
}

const JWT = 'lib/auth/jwt.ts, readCompactJwt'
const CLAIMS = 'lib/auth/claims.ts, readClaims'
const TIMES = 'lib/auth/claims.ts, checkTimes'

const TOKEN_CHECKS: Readonly<Record<TokenStatus, TokenCheck>> = {
  MISSING: { title: 'Present', about: 'a token follows Bearer', place: JWT },
  MALFORMED: { title: 'Well formed', about: 'three parts in base64url, the first two JSON objects', place: JWT },
  UNSUPPORTED_ALGORITHM: { title: 'Algorithm', about: 'HS512, without extensions', place: JWT },
  INVALID_SIGNATURE: {
    title: 'Signature',
    about: 'made with a key of the service over header and claims',
    place: 'lib/auth/token.ts, checkSignature',
  },
  MISSING_CLAIMS: { title: 'Claims present', about: 'sub, role, iat, exp; with a kid also iss and aud', place: CLAIMS },
  INVALID_CLAIMS: { title: 'Claims valid', about: 'right types, a known role, our issuer and audience', place: CLAIMS },
  EXPIRED: { title: 'Not expired', about: 'exp is in the future', place: TIMES },
  NOT_YET_VALID: { title: 'Already valid', about: 'iat and nbf are in the past', place: TIMES },
  REVOKED: {
    title: 'Account',
    about: 'exists, is enabled, has the role, and has not logged out since; only where a call changes something',
    place: 'lib/auth/account-gate.ts, confirm',
  },
}

/** The checks as steps, in the order of the service. */
export function tokenSteps(results: readonly TokenCheckResult[]): readonly CheckStep[] {
  return TOKEN_STATUSES.map((status, index) => {
    const { title, about, place } = TOKEN_CHECKS[status]
    const result = results[index] ?? 'unreached'
    return { title, about, result, ...(result === 'refused' && { code: status, place }) }
  })
}
