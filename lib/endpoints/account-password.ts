import { passwordChange } from '../contract/requests/password-change.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS, END_LOGINS, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/account/password',
  access: 'authenticated',
  audit: { action: 'password.changed', target: 'user' },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Account',
    summary: 'Change your own password',
    description:
      'A wrong `current` gets 400, and counts as a failed login. All sessions and tokens of the account end, including the token of the call. The session of the call continues with a new id. Passwords of the directory and of identity providers cannot be changed here: 403.',
    reads: { json: passwordChange },
    bodyExample: { current: 'correct horse battery staple', new: 'staple battery horse correct' },
    refuses: ['PASSWORD_ELSEWHERE', 'TOO_MANY_REQUESTS'],
    answers: { 204: { description: 'The password is changed.', headers: ['cookiesIfAny'] } },
    grants: [...ANY_CREDENTIALS, END_LOGINS, START_SESSION],
  }) as const satisfies About
