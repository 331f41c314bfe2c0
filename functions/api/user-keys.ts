import { makeUserCredentials } from '../../lib/app/account.ts'
import { listKeys } from '../../lib/auth/keys/manage.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { keyPage } from '../../lib/contract/answers/accounts.ts'
import { API_KEY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import { closed, page } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}/keys',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

const keyQuery = closed(page())

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the API keys that an account made',
  description: 'Works for an account of any store, as for sessions. `DELETE /api/keys/{id}` deletes one.',
  reads: { query: keyQuery },
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('One page.', keyPage, { keys: [API_KEY], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, { KeysTable: ['Query'] }],
})

export async function start() {
  const app = await makeUserCredentials()
  return endpoint(route, app, query(keyQuery), async ({ parameters, input }) =>
    ok(await listKeys(app, input, await app.uidIn(parameters))),
  )
}
