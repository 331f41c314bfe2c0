import { passwordChange } from '../contract/requests/password-change.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS, END_LOGINS, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/account/password',
  access: 'authenticated',
  audit: { action: 'password.changed' },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Account',
    summary: 'Change one’s own password',
    description:
      'A wrong `current` is 400, and counts like a wrong password at a login. All sessions and tokens of the account end, the token of the call among them; the session of the call goes on under a new id. The passwords of the directory and of identity providers are theirs to change: 403.',
    reads: { json: passwordChange },
    refuses: ['PASSWORD_ELSEWHERE', 'TOO_MANY_REQUESTS'],
    answers: { 204: { description: 'The password is changed.', headers: ['cookiesIfAny'] } },
    grants: [...ANY_CREDENTIALS, END_LOGINS, START_SESSION],
  }) as const satisfies About
