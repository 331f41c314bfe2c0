import { greeting, jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { HELLO } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/user/secure',
  access: { role: 'ROLE_USER' },
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Greetings',
    summary: 'Greet a user or an admin',
    answers: {
      200: { description: 'A greeting.', example: { ...HELLO, authType: 'JDBC' }, content: jsonContent(greeting) },
    },
    grants: ANY_CREDENTIALS,
  }) as const satisfies About
