import { makeApi } from '../../lib/app/checks.ts'
import { greet } from '../../lib/auth/principal.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { greeting } from '../../lib/contract/answers/accounts.ts'
import { HELLO } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = { method: 'GET', path: '/api/user/secure', access: { role: 'ROLE_USER' } } as const satisfies Route

export const about = (): About => ({
  tag: 'Greetings',
  summary: 'Greet a user or an admin',
  answers: { 200: jsonAnswer('A greeting.', greeting, { ...HELLO, authType: 'JDBC' }) },
  grants: ANY_CREDENTIALS,
})

export const start = async () => endpoint(route, await makeApi(), ({ principal }) => ok(greet(principal)))
