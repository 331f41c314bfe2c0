/**
 * The attacks on a login that the demo provider tries, and their names for people. Only the lab and that provider know
 * them: to the service, it is a login like any other.
 */
export const LOGIN_ATTACKS = {
  'foreign-state': 'Foreign state',
  'no-state': 'No state',
  'other-browser': "Another browser's login",
  'other-callback': 'Another callback',
  'mixed-up': 'Mixed-up provider',
  'error-answer': 'Error answer',
  'used-code': 'Used code',
  'other-challenge': 'Other challenge',
  unsigned: 'Unsigned token',
  expired: 'Expired token',
  'other-issuer': 'Other issuer',
  'other-audience': 'Other audience',
  'old-nonce': 'Old nonce',
  'other-key': 'Other key',
  'other-user': 'Other user',
} as const

export type LoginAttack = keyof typeof LOGIN_ATTACKS

/** The cookie in which the lab names the attack that the demo provider offers first. */
export const ATTACK_COOKIE = 'demo_attack'
