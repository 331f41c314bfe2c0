import { loginRedirect } from '../contract/passkey-schemas.ts'
import { passkeyLogin } from '../contract/requests/passkeys.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { USED_CREDENTIAL } from './examples.ts'
import { FAILURES, READ_PASSKEYS, RECORD, SESSION, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/login/passkey',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Begin a session with a passkey',
    description:
      '`credential` is what `toJSON()` of the credential gives. It has to answer the challenge of the browser, on a page of this service, with the user verified and with a signature counter above the last one; the attempt spends the challenge. Every refusal is the same, and counts like a wrong password. `returnTo` may name a path of ours.',
    reads: { json: passkeyLogin },
    bodyExample: { credential: USED_CREDENTIAL, returnTo: '/console/webhooks' },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      200: {
        description: 'With the cookies of a session.',
        headers: ['cookies'],
        example: { redirect: '/' },
        content: jsonContent(loginRedirect),
      },
    },
    grants: [
      ...SESSION,
      FAILURES,
      RECORD,
      READ_PASSKEYS,
      START_SESSION,
      { PasskeysTable: ['UpdateItem'], UsersTable: ['UpdateItem:lastLoginAt'] },
    ],
  }) as const satisfies About
