import { makePasskeyList } from '../../lib/app/passkeys.ts'
import { listPasskeys } from '../../lib/auth/passkeys/passkey.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = makePasskeyList()

export const handler = endpoint('passkeys', app, async ({ principal }) =>
  ok(await listPasskeys(app.passkeys, principal.uid ?? '')),
)
