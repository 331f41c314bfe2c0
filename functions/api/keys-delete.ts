import { makeKeys } from '../../lib/app/keys.ts'
import { deleteKey } from '../../lib/auth/keys/manage.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

export const route = {
  method: 'DELETE',
  path: '/api/keys/{id}',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'key.deleted', target: 'key' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Keys',
  summary: 'Delete an API key',
  description: 'The key stops working everywhere within 60 seconds.',
  refuses: ['KEY_NOT_FOUND'],
  sample: { parameters: { id: 'playground' }, granted: 404 },
  answers: {
    204: { description: 'The key is deleted.' },
  },
  grants: [...ANY_CREDENTIALS, { KeysTable: ['DeleteItem', 'GetItem'] }],
})

export async function start() {
  const app = await makeKeys()
  return endpoint(route, app, async ({ parameters, principal }) => {
    await deleteKey(app, parameters['id'] ?? '', principal.username)
    return noContent()
  })
}
