import type { CheckName } from '../../lib/contract/login-steps.ts'

interface CheckMeaning {
  readonly label: string
  readonly text: string
  /** What replaces a check that does not apply. */
  readonly otherwise?: string
  /** The file of the repository that makes the check. */
  readonly place: string
}

const RECEIVE = 'lib/auth/oauth2/receive.ts'
const LOGIN = 'lib/auth/oauth2/login.ts'
const ADAPTER = 'lib/adapters/oidc/google.ts'
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
    place: ADAPTER,
  },
  answer: {
    label: 'Answer',
    text: 'The provider sent a code, not an error.',
    place: ADAPTER,
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
    text: 'The ID token is signed with RS256, the algorithm that was agreed on.',
    otherwise: 'There is no ID token. The service asked the provider itself, over its own connection.',
    place: ADAPTER,
  },
  expiry: {
    label: 'Expiry',
    text: 'The ID token has not expired.',
    otherwise: 'The code works once, for minutes. The access token is used at once and not kept.',
    place: ADAPTER,
  },
  issuer: {
    label: 'Issuer',
    text: 'The ID token was issued by this provider.',
    otherwise: 'The token comes from the configured address of the provider.',
    place: ADAPTER,
  },
  audience: {
    label: 'Audience',
    text: 'The ID token is for this client.',
    otherwise: 'The code was redeemed with the secret of this client. No token comes from a browser.',
    place: ADAPTER,
  },
  nonce: {
    label: 'Nonce',
    text: 'The ID token was made for this login.',
    otherwise: 'State and code verifier tie the code to this login.',
    place: ADAPTER,
  },
  signature: {
    label: 'Signature',
    text: 'A key that the provider publishes signed the ID token.',
    otherwise: 'There is no ID token. The service asked the provider itself, over its own connection.',
    place: ADAPTER,
  },
  subject: {
    label: 'Subject',
    text: 'The profile belongs to the user of the ID token.',
    otherwise: 'There is nothing to compare. The API of the provider names the user of the access token.',
    place: ADAPTER,
  },
}
