import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { CheckName, CheckResult } from '../../lib/contract/login-steps.ts'
import type { Look } from '../ui/badge.tsx'

interface CheckMeaning {
  readonly label: string
  readonly text: string
  /** What replaces a check that does not apply. */
  readonly otherwise?: string
  /** The file of the repository that makes the check; {@link ADAPTER} where none is named. */
  readonly place?: string
}

/** What speaks with a provider makes most of the checks. */
export const ADAPTER = 'lib/adapters/oidc/openid.ts'
const RECEIVE = 'lib/auth/oauth2/receive.ts'
const LOGIN = 'lib/auth/oauth2/login.ts'
const CODE_GRANT = 'lib/adapters/oidc/refusing-check.ts'

export const CHECKS: Readonly<Record<CheckName, CheckMeaning>> = {
  transaction: {
    label: 'Browser',
    text: 'A sealed cookie, at most ten minutes old, shows that this browser began the login.',
    place: RECEIVE,
  },
  state: {
    label: 'State',
    text: 'The state that came back is the one that was sent.',
    place: RECEIVE,
  },
  registration: {
    label: 'Provider',
    text: 'The answer came to the callback of the provider that the login began with.',
    place: LOGIN,
  },
  iss: {
    label: 'Answering issuer',
    text: 'The answer names the provider that sent it (RFC 9207).',
    otherwise: 'The answer names no issuer (RFC 9207). Each provider has a callback of its own instead.',
  },
  answer: {
    label: 'Answer',
    text: 'The provider sent a code, not an error.',
  },
  code: {
    label: 'Code',
    text: 'The provider accepts a code once, from the client that it was made for.',
    place: CODE_GRANT,
  },
  pkce: {
    label: 'PKCE',
    text: 'The provider compares the SHA-256 of the code verifier with the code challenge (S256).',
    place: CODE_GRANT,
  },
  algorithm: {
    label: 'Algorithm',
    text: 'The ID token is signed with an algorithm that the metadata of the provider offers, and not with a secret.',
    otherwise: 'There is no ID token. The service asked the provider itself, over its own connection.',
  },
  expiry: {
    label: 'Expiry',
    text: 'The ID token has not expired.',
    otherwise: 'The code works once, for minutes. The access token is used at once and not kept.',
  },
  issuer: {
    label: 'Issuer',
    text: 'The ID token was issued by this provider.',
    otherwise: 'The token comes from the configured address of the provider.',
  },
  audience: {
    label: 'Audience',
    text: 'The ID token is for this client.',
    otherwise: 'The code was redeemed with the secret of this client. No token comes from a browser.',
  },
  nonce: {
    label: 'Nonce',
    text: 'The ID token was made for this login.',
    otherwise: 'State and code verifier tie the code to this login.',
  },
  signature: {
    label: 'Signature',
    text: 'A key that the provider publishes signed the ID token.',
    otherwise: 'There is no ID token. The service asked the provider itself, over its own connection.',
  },
  subject: {
    label: 'Subject',
    text: 'The profile belongs to the user of the ID token.',
    otherwise: 'There is nothing to compare. Only one answer of the provider names the user.',
  },
  role: {
    label: 'Role',
    text: 'A claim of the provider gives a role, by the table of OIDC_PROVIDERS.',
    place: 'lib/auth/oauth2/providers.ts',
  },
}

/** The result of a check as the page shows it: also of one that refused, and of one that was not reached. */
export type ShownResult = CheckResult | 'REFUSED' | 'NOT_REACHED' | 'EXPLAINED'

export const RESULTS: Readonly<Record<ShownResult, Look>> = {
  PASSED: { label: 'passed', tone: 'ok', icon: 'ok' },
  NOT_SENT: { label: 'not sent', tone: 'note', icon: 'dash' },
  BY_PROVIDER: { label: 'by the provider', tone: 'ok', icon: 'ok' },
  REPLACED: { label: 'replaced', tone: 'note', icon: 'dash' },
  REFUSED: { label: 'refused', tone: 'bad', icon: 'bad' },
  NOT_REACHED: { label: 'not reached', tone: 'note', icon: 'dash' },
  EXPLAINED: { label: '', tone: 'note', icon: 'shield' },
}

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
