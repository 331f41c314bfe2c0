import { makeUserCredentials } from '../../lib/app/account.ts'
import { listPasskeys } from '../../lib/auth/passkeys/passkey.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { passkeyList } from '../../lib/contract/answers/logins.ts'
import { PASSKEY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, READ_PASSKEYS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/users/{userId}/passkeys',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'List the passkeys of an account',
  description: 'Works for an account of any store, as for sessions.',
  refuses: ['USER_NOT_FOUND'],
  sample: { parameters: { userId: 'playground' }, granted: 404 },
  answers: { 200: jsonAnswer('At most 10, the newest first.', passkeyList, { passkeys: [PASSKEY] }) },
  grants: [...ANY_CREDENTIALS, READ_PASSKEYS],
})

export async function start() {
  const app = await makeUserCredentials()
  return endpoint(route, app, async ({ parameters }) =>
    ok(await listPasskeys(app.passkeys, await app.uidIn(parameters))),
  )
}
