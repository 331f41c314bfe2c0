import { makePasskeyRegistration } from '../../lib/app/passkeys.ts'
import { registerPasskey } from '../../lib/auth/passkeys/registration.ts'
import { newPasskey } from '../../lib/contract/requests/passkeys.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'
import { passkeyOwner } from '../../lib/http/own-session.ts'

const app = makePasskeyRegistration()

export const handler = endpoint('passkeysCreate', app, json(newPasskey), async ({ event, principal, input }) =>
  created(await registerPasskey(app, passkeyOwner(event, principal), input)),
)
