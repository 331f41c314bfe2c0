import type { About } from './about.ts'
import { ANY_CREDENTIALS, END_SESSIONS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/users/{userId}/sessions',
  access: { role: 'ROLE_ADMIN', permission: { name: 'UPDATE', on: 'User' } },
  audit: { action: 'sessions.ended', target: 'user' },
} as const satisfies Route

export const sampleRequest = { parameters: { userId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'End all sessions and tokens of an account',
    description:
      'Works for an account of any store, as above. Sessions end at their next request. Tokens can change nothing from then on, and can read until they expire.',
    refuses: ['USER_NOT_FOUND'],
    answers: { 204: { description: 'They have ended.' } },
    grants: [...ANY_CREDENTIALS, END_SESSIONS],
  }) as const satisfies About
