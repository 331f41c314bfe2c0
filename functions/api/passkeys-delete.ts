import { makePasskeys } from '../../lib/app/passkeys.ts'
import { deletePasskey } from '../../lib/auth/passkeys/passkey.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

const app = makePasskeys()

export const handler = endpoint('passkeysDelete', app, async ({ parameters, principal }) => {
  await deletePasskey(app.passkeys, principal.uid ?? '', parameters['id'] ?? '')
  return noContent()
})
