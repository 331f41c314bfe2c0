import { jsonContent } from '../contract/schemas.ts'
import { sessionList } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { SESSION_ROW } from './examples.ts'
import { ANY_CREDENTIALS, LIST_SESSIONS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}/sessions',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const sampleRequest = { parameters: { userId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List the sessions of an account',
    description:
      'Works for an account of any store: `ldap:` and the entryUUID, or `google:`, `github:` or `facebook:` and the provider’s id also name one. A session that began a moment ago may be missing.',
    refuses: ['USER_NOT_FOUND'],
    answers: {
      200: {
        description: 'The active sessions, the most recently used first.',
        example: { sessions: [{ ...SESSION_ROW, current: false }] },
        content: jsonContent(sessionList),
      },
    },
    grants: [...ANY_CREDENTIALS, LIST_SESSIONS],
  }) as const satisfies About
