import { makePasskeyList } from '../../lib/app/passkeys.ts'
import { registrationOptions } from '../../lib/auth/passkeys/registration.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { passkeyOwner } from '../../lib/http/own-session.ts'

const app = makePasskeyList()

export const handler = endpoint('passkeyRegistrationOptions', app, async ({ event, principal }) =>
  ok(await registrationOptions(app, passkeyOwner(event, principal))),
)
