import { jsonContent } from '../contract/schemas.ts'
import { sessionList } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { SESSION_ROW } from './examples.ts'
import { ANY_CREDENTIALS, LIST_SESSIONS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/account/sessions',
  access: 'authenticated',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Account',
    summary: 'List your own sessions',
    description: 'A session that began a moment ago may be missing. A token also needs its account here.',
    answers: {
      200: {
        description: 'The active sessions, the most recently used first.',
        example: { sessions: [SESSION_ROW] },
        content: jsonContent(sessionList),
      },
    },
    grants: [...ANY_CREDENTIALS, LIST_SESSIONS],
  }) as const satisfies About
