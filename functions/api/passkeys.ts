import { makePasskeyList } from '../../lib/app/passkeys.ts'
import { listPasskeys } from '../../lib/auth/passkeys/passkey.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { passkeyList } from '../../lib/contract/answers/logins.ts'
import { PASSKEY } from '../../lib/contract/examples.ts'
import { READ_PASSKEYS, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/passkeys',
  access: 'authenticated',
  credentials: 'session',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Passkeys',
  summary: 'List your passkeys',
  answers: { 200: jsonAnswer('At most 10, the newest first.', passkeyList, { passkeys: [PASSKEY] }) },
  grants: [...SESSION, READ_PASSKEYS],
})

export function start() {
  const app = makePasskeyList()
  return endpoint(route, app, async ({ principal }) => ok(await listPasskeys(app.passkeys, principal.uid ?? '')))
}
