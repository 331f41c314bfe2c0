import { makeKeyList } from '../../lib/app/keys.ts'
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

export const route = { method: 'GET', path: '/api/keys', access: { role: 'ROLE_ADMIN' } } as const satisfies Route

export const keyQuery = closed(page())

export const about = (): About => ({
  tag: 'Keys',
  summary: 'List API keys',
  description: 'Newest first. An expired key is listed for another 30 days.',
  reads: { query: keyQuery },
  answers: { 200: jsonAnswer('One page.', keyPage, { keys: [API_KEY], nextCursor: null }) },
  grants: [...ANY_CREDENTIALS, { KeysTable: ['Query'] }],
})

export async function start() {
  const app = await makeKeyList()
  return endpoint(route, app, query(keyQuery), async ({ input }) => ok(await listKeys(app, input)))
}
