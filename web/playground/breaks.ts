import type { ConsoleFacts } from '../../lib/contract/console.ts'
import type { TokenStatus } from '../../lib/contract/token-status.ts'
import { type Call, type Exchange, JSON_HEADERS } from '../call.ts'
import { withOtherClaims, withOtherSignature, withoutAlgorithm, withoutSignature } from '../jwt/spoil.ts'

/** A refusal as documented. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly tokenStatus?: TokenStatus
}

export interface Break {
  readonly label: string
  /** What is wrong with the call. */
  readonly what: string
  /** The material of the call; the break is impossible without it. */
  readonly from: Material
  /** @param material a good token, a bad one, or nothing for a session */
  readonly call: (material: string) => Call
  readonly refusal: Refusal
}

/** A token of the chosen caller; a signed one that has expired or lacks the role; or the page's session. */
export type Material = 'token' | 'expired' | 'withoutRole' | 'session'

const INVALID = 'Invalid or expired JWT token'

function withBearer(token: string): Call {
  return {
    method: 'GET',
    path: '/api/auth/info',
    headers: { ...JSON_HEADERS, authorization: `Bearer ${token}` },
    withSession: false,
  }
}

interface BadToken {
  readonly label: string
  readonly what: string
  readonly from?: Material
  readonly spoil?: (token: string) => string
  readonly tokenStatus: TokenStatus
  readonly message?: string
}

const BAD_TOKENS: readonly BadToken[] = [
  {
    label: 'Tampered signature',
    what: 'One character of the signature is another.',
    spoil: withOtherSignature,
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'Tampered claims',
    what: 'The claims say ROLE_ADMIN for eve, under the signature of the true ones.',
    spoil: (token) => withOtherClaims(token, { sub: 'eve', role: 'ROLE_ADMIN', iat: 0, exp: 4_102_444_800 }),
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'Expired',
    what: 'Signed as it should be, but its time is over.',
    from: 'expired',
    tokenStatus: 'EXPIRED',
    message: 'JWT token has expired',
  },
  {
    label: 'Wrong algorithm',
    what: 'The header says alg none, and no signature follows.',
    spoil: withoutAlgorithm,
    tokenStatus: 'UNSUPPORTED_ALGORITHM',
  },
  {
    label: 'No role',
    what: 'Signed as it should be, but without the claim role.',
    from: 'withoutRole',
    tokenStatus: 'MISSING_CLAIMS',
  },
  {
    label: 'Cut off',
    what: 'The third part is missing, with its dot.',
    spoil: withoutSignature,
    tokenStatus: 'MALFORMED',
  },
  { label: 'Empty', what: 'Bearer, and no token behind it.', spoil: () => '', tokenStatus: 'MISSING' },
]

export const BREAKS: readonly Break[] = [
  ...BAD_TOKENS.map(({ label, what, from = 'token', spoil = (token) => token, tokenStatus, message = INVALID }) => ({
    label,
    what,
    from,
    call: (token: string) => withBearer(spoil(token)),
    refusal: { status: 401, message, tokenStatus },
  })),
  {
    label: 'No CSRF token',
    what: 'A session deletes a user, and does not show that the call comes from this page.',
    from: 'session',
    call: () => ({ method: 'DELETE', path: '/api/users/playground', headers: JSON_HEADERS, withSession: true }),
    refusal: { status: 403, message: 'Invalid CSRF token' },
  },
]

/** The refusal that the profile has to answer with: where tokens are not accepted, a bad one counts as none. */
export function dueRefusal({ from, refusal }: Break, { accepts }: Pick<ConsoleFacts, 'accepts'>): Refusal {
  return from === 'session' || accepts.bearer ? refusal : { status: 401, message: 'Authentication required' }
}

/** Whether the service refused as documented. */
export function isRefusedSo({ status, text }: Pick<Exchange, 'status' | 'text'>, due: Refusal): boolean {
  const { message, tokenStatus } = refusalIn(text)
  return status === due.status && message === due.message && tokenStatus === due.tokenStatus
}

interface ErrorText {
  readonly message?: string
  readonly details?: { readonly tokenStatus?: string }
}

function refusalIn(text: string): { readonly message: string | undefined; readonly tokenStatus: string | undefined } {
  try {
    const { message, details } = JSON.parse(text) as ErrorText
    return { message, tokenStatus: details?.tokenStatus }
  } catch {
    return { message: undefined, tokenStatus: undefined }
  }
}
