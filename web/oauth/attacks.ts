import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { CheckName } from '../../lib/contract/login-steps.ts'

interface AttackMeaning {
  /** The check that has to refuse it. */
  readonly check: CheckName
  /** What the attacker does, and what it is for. */
  readonly text: string
  /** The standard that asks for the check. */
  readonly source: string
}

export const ATTACK_MEANINGS: Readonly<Record<LoginAttack, AttackMeaning>> = {
  'foreign-state': {
    check: 'state',
    text: 'The browser comes back with a state that Gatehouse did not send. The attacker tries to make you work in their account.',
    source: 'RFC 6749, section 10.12',
  },
  'no-state': {
    check: 'transaction',
    text: 'The browser comes back without a state. No cookie of a begun login belongs to it.',
    source: 'RFC 6749, section 10.12',
  },
  'other-browser': {
    check: 'transaction',
    text: 'The attacker began a login and sends its callback to your browser (login CSRF).',
    source: 'RFC 9700, section 4.7',
  },
  'other-callback': {
    check: 'registration',
    text: "The answer comes to another provider's callback, so that this provider would get the code.",
    source: 'RFC 9700, section 4.4',
  },
  'mixed-up': {
    check: 'iss',
    text: 'The answer names another issuer than the one that the browser was sent to.',
    source: 'RFC 9207, section 2.4',
  },
  'error-answer': {
    check: 'answer',
    text: 'The provider sends an error in place of a code, as it does when a user cancels.',
    source: 'RFC 6749, section 4.1.2.1',
  },
  'used-code': {
    check: 'code',
    text: 'The attacker saw the code and redeemed it first. The provider refuses it the second time.',
    source: 'RFC 6749, section 4.1.2',
  },
  'other-challenge': {
    check: 'pkce',
    text: "The attacker injects the code of another login. Its challenge does not fit this login's verifier.",
    source: 'RFC 7636, section 4.6',
  },
  unsigned: {
    check: 'algorithm',
    text: 'The ID token says “alg”: “none” and has no signature.',
    source: 'RFC 8725, section 3.1',
  },
  expired: {
    check: 'expiry',
    text: 'The ID token expired an hour ago. Its signature is good.',
    source: 'OpenID Connect Core, section 3.1.3.7',
  },
  'other-issuer': {
    check: 'issuer',
    text: 'The ID token names another issuer. Its signature is good.',
    source: 'OpenID Connect Core, section 3.1.3.7',
  },
  'other-audience': {
    check: 'audience',
    text: 'The ID token was made for another client. Its signature is good.',
    source: 'OpenID Connect Core, section 3.1.3.7',
  },
  'old-nonce': {
    check: 'nonce',
    text: 'The ID token belongs to an older login. Its signature is good.',
    source: 'OpenID Connect Core, section 3.1.3.7',
  },
  'other-key': {
    check: 'signature',
    text: 'The claims are right, but another key signed the ID token.',
    source: 'OpenID Connect Core, section 3.1.3.7',
  },
  'other-user': {
    check: 'subject',
    text: 'The profile belongs to another user than the ID token.',
    source: 'OpenID Connect Core, section 5.3.2',
  },
}
