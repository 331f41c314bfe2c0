import type { CheckName, CheckResult, StepName } from '../../lib/contract/login-steps.ts'

interface StepMeaning {
  readonly title: string
  readonly text: string
}

export const STEPS: Readonly<Record<StepName, StepMeaning>> = {
  authorization: {
    title: 'To the provider',
    text: 'The browser is sent to the provider, which asks its user who they are. State and code challenge, and the nonce if there is one, are made up for this login alone.',
  },
  callback: {
    title: 'Back from the provider',
    text: 'The provider sends the browser back with a code. Anybody can send a browser here, so the login goes on only where it began.',
  },
  token: {
    title: 'The code becomes a token',
    text: 'The service redeems the code itself, with the secret of the client and the code verifier. No browser sees this request.',
  },
  keys: {
    title: 'The keys of the provider',
    text: 'One of them has to have signed the ID token. They are kept for a few minutes, so not every login asks for them.',
  },
  user: {
    title: 'Who it is',
    text: 'The access token opens what the provider tells of its user. Then the token is forgotten: the session is ours.',
  },
  emails: {
    title: 'Which address is verified',
    text: 'The address in a profile is whatever its owner chose to show. This list says which one is verified.',
  },
}

interface CheckMeaning {
  readonly label: string
  readonly text: string
  /** What replaces a check that does not apply. */
  readonly otherwise?: string
}

export const CHECKS: Readonly<Record<CheckName, CheckMeaning>> = {
  transaction: {
    label: 'Browser',
    text: 'A sealed cookie, not older than ten minutes, holds what this browser began with.',
  },
  registration: {
    label: 'Provider',
    text: 'The answer came to the callback of the provider that the login began with, so no code reaches another one.',
  },
  state: {
    label: 'State',
    text: 'What came back is what was sent. Nobody can slip a login of their own under somebody else.',
  },
  iss: {
    label: 'Answering issuer',
    text: 'The answer names the provider that it is from (RFC 9207).',
    otherwise:
      'The answer does not name who it is from (RFC 9207). That each provider has a callback of its own has to do.',
  },
  pkce: {
    label: 'PKCE',
    text: 'The provider gives a token only for the verifier whose SHA-256 is the code challenge (S256). A stolen code is worth nothing.',
  },
  signature: {
    label: 'Signature',
    text: 'A key of the provider signed the ID token.',
    otherwise: 'There is no ID token. The service asked the provider itself, on a connection of its own.',
  },
  issuer: {
    label: 'Issuer',
    text: 'The ID token is by this provider.',
    otherwise: 'The token is by whoever answers at the address of the provider, which is set here and sent by nobody.',
  },
  audience: {
    label: 'Audience',
    text: 'The ID token is for this client, not for another one.',
    otherwise: 'The code was redeemed with the secret of this client, and no token is taken from a browser.',
  },
  expiry: {
    label: 'Expiry',
    text: 'The ID token was not over when it came.',
    otherwise: 'The code is good once and for minutes. The token is used at once, and not kept.',
  },
  nonce: {
    label: 'Nonce',
    text: 'The ID token was made for this very login, and is no older one.',
    otherwise: 'State and code verifier tie the code to this very login.',
  },
  subject: {
    label: 'Subject',
    text: 'What is told is about the user of the ID token, and nobody else.',
    otherwise: 'Nothing to compare it with: the user is whom the API of the provider names for the token.',
  },
}

export const RESULTS: Readonly<Record<CheckResult, { readonly label: string; readonly tone: string }>> = {
  PASSED: { label: 'passed', tone: 'good' },
  NOT_SENT: { label: 'not sent', tone: 'plain' },
  BY_PROVIDER: { label: 'by the provider', tone: 'plain' },
  REPLACED: { label: 'replaced', tone: 'plain' },
}
