import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'DELETE',
  path: '/api/account/sessions/{sessionId}',
  access: 'authenticated',
  audit: { action: 'sessions.ended', target: 'session' },
} as const satisfies Route

export const sampleRequest = { parameters: { sessionId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Account',
    summary: 'End one of your own sessions',
    description: 'This may be the session of the call.',
    refuses: ['SESSION_NOT_FOUND'],
    answers: { 204: { description: 'The session has ended.' } },
    grants: [...ANY_CREDENTIALS, { SessionsTable: ['DeleteItem'] }],
  }) as const satisfies About
