import { makePasskeys } from '../../lib/app/passkeys.ts'
import { deletePasskey } from '../../lib/auth/passkeys/passkey.ts'
import type { About } from '../../lib/contract/about.ts'
import { CHANGE_PASSKEYS, READ_PASSKEYS, RECORD, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

export const route = {
  method: 'DELETE',
  path: '/api/passkeys/{id}',
  access: 'authenticated',
  credentials: 'session',
  audit: { action: 'passkey.deleted', target: 'passkey' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Passkeys',
  summary: 'Remove one of your passkeys',
  description: 'It cannot be used to log in any more. Sessions that began with it continue.',
  refuses: ['PASSKEY_NOT_FOUND'],
  sample: { parameters: { id: 'playground' }, granted: 404 },
  answers: { 204: { description: 'The passkey is gone.' } },
  grants: [...SESSION, RECORD, READ_PASSKEYS, CHANGE_PASSKEYS],
})

export function start() {
  const app = makePasskeys()
  return endpoint(route, app, async ({ parameters, principal }) => {
    await deletePasskey(app.passkeys, principal.uid ?? '', parameters['id'] ?? '')
    return noContent()
  })
}
