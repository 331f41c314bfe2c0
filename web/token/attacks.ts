import type { DemoTokens } from '../../lib/contract/console.ts'
import type { TokenStatus } from '../../lib/contract/tokens.ts'
import { cutOff, withHeaderChanges, withOtherRole, withOtherSignature, withoutSignature } from './token.ts'

/** What an attack starts from: a good token, or one that only the local stage signs. */
export type TokenMaterial = 'token' | keyof DemoTokens

/** A bad token, and the check that has to refuse it. */
export interface TokenAttack {
  readonly label: string
  /** What is wrong with the token. */
  readonly what: string
  readonly from: TokenMaterial
  readonly spoil: (token: string) => string
  readonly tokenStatus: TokenStatus
}

const asSigned = (token: string) => token

export const TOKEN_ATTACKS: readonly TokenAttack[] = [
  {
    label: 'Change the role',
    what: 'The claims name another role, under the signature of the true claims.',
    from: 'token',
    spoil: withOtherRole,
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'Change the signature',
    what: 'One character of the signature differs.',
    from: 'token',
    spoil: withOtherSignature,
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'Strip the signature',
    what: 'Nothing follows the second dot.',
    from: 'token',
    spoil: withoutSignature,
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'alg none',
    what: 'The header says that the token needs no signature (alg: none).',
    from: 'token',
    spoil: (token) => withHeaderChanges(withoutSignature(token), { alg: 'none' }),
    tokenStatus: 'UNSUPPORTED_ALGORITHM',
  },
  {
    label: 'Key confusion',
    what: 'The header says RS256. A reader that believes it would take a public key for the secret of an HMAC.',
    from: 'token',
    spoil: (token) => withHeaderChanges(token, { alg: 'RS256' }),
    tokenStatus: 'UNSUPPORTED_ALGORITHM',
  },
  {
    label: 'Weaker hash',
    what: 'The header says HS256 in place of HS512.',
    from: 'token',
    spoil: (token) => withHeaderChanges(token, { alg: 'HS256' }),
    tokenStatus: 'UNSUPPORTED_ALGORITHM',
  },
  {
    label: 'kid injection',
    what: 'The id of the key is a path. A reader that opens it as a file would get an empty key.',
    from: 'token',
    spoil: (token) => withHeaderChanges(token, { kid: '../../../dev/null' }),
    tokenStatus: 'INVALID_SIGNATURE',
  },
  {
    label: 'Unknown extension',
    what: 'The header demands an extension that the service does not know (crit).',
    from: 'token',
    spoil: (token) => withHeaderChanges(token, { crit: ['b64'], b64: false }),
    tokenStatus: 'UNSUPPORTED_ALGORITHM',
  },
  {
    label: 'Cut it off',
    what: 'The third part is missing, with its dot.',
    from: 'token',
    spoil: cutOff,
    tokenStatus: 'MALFORMED',
  },
  { label: 'Send none', what: 'No token follows Bearer.', from: 'token', spoil: () => '', tokenStatus: 'MISSING' },
  {
    label: 'Drop the role',
    what: 'Correctly signed, but without the claim role.',
    from: 'withoutRole',
    spoil: asSigned,
    tokenStatus: 'MISSING_CLAIMS',
  },
  {
    label: 'Unknown role',
    what: 'Correctly signed, but the role is one that does not exist.',
    from: 'unknownRole',
    spoil: asSigned,
    tokenStatus: 'INVALID_CLAIMS',
  },
  {
    label: 'Expired',
    what: 'Correctly signed, but past its end.',
    from: 'expired',
    spoil: asSigned,
    tokenStatus: 'EXPIRED',
  },
  {
    label: 'Not yet valid',
    what: 'Correctly signed, but issued in the future.',
    from: 'notYetValid',
    spoil: asSigned,
    tokenStatus: 'NOT_YET_VALID',
  },
  {
    label: 'Revoked',
    what: 'Correctly signed and in time, but its account does not exist. Only a call that changes something looks.',
    from: 'revoked',
    spoil: asSigned,
    tokenStatus: 'REVOKED',
  },
]
