import { makeUserCredentials } from '../../lib/app/account.ts'
import { deletePasskey } from '../../lib/auth/passkeys/passkey.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, CHANGE_PASSKEYS, READ_PASSKEYS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

export const route = {
  method: 'DELETE',
  path: '/api/users/{userId}/passkeys/{id}',
  access: { role: 'ROLE_ADMIN', permission: { name: 'UPDATE', on: 'User' } },
  audit: { action: 'passkey.deleted', target: 'passkey' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'Remove a passkey of an account',
  refuses: ['USER_NOT_FOUND', 'PASSKEY_NOT_FOUND'],
  sample: { parameters: { userId: 'playground', id: 'playground' }, granted: 404 },
  answers: { 204: { description: 'It cannot be used to log in any more. Sessions that began with it continue.' } },
  grants: [...ANY_CREDENTIALS, READ_PASSKEYS, CHANGE_PASSKEYS],
})

export async function start() {
  const app = await makeUserCredentials()
  return endpoint(route, app, async ({ parameters }) => {
    await deletePasskey(app.passkeys, await app.uidIn(parameters), parameters['id'] ?? '')
    return noContent()
  })
}
