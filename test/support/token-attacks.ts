/** How each attack on a token is refused, by the name of its button. */
export const REFUSED_ATTACKS: readonly (readonly [label: string, tokenStatus: string])[] = [
  ['Change the role', 'INVALID_SIGNATURE'],
  ['Change the signature', 'INVALID_SIGNATURE'],
  ['Strip the signature', 'INVALID_SIGNATURE'],
  ['alg none', 'UNSUPPORTED_ALGORITHM'],
  ['Key confusion', 'UNSUPPORTED_ALGORITHM'],
  ['Weaker hash', 'UNSUPPORTED_ALGORITHM'],
  ['kid injection', 'INVALID_SIGNATURE'],
  ['Unknown extension', 'UNSUPPORTED_ALGORITHM'],
  ['Cut it off', 'MALFORMED'],
  ['Send none', 'MISSING'],
  ['Drop the role', 'MISSING_CLAIMS'],
  ['Unknown role', 'INVALID_CLAIMS'],
  ['Expired', 'EXPIRED'],
  ['Not yet valid', 'NOT_YET_VALID'],
  ['Revoked', 'REVOKED'],
]
