import { makePasskeyRegistration } from '../../lib/app/passkeys.ts'
import { registerPasskey } from '../../lib/auth/passkeys/registration.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { registeredPasskey } from '../../lib/contract/answers/logins.ts'
import { NEW_CREDENTIAL, PASSKEY } from '../../lib/contract/examples.ts'
import { CHANGE_PASSKEYS, RECORD, SESSION, TAKE_CHALLENGE } from '../../lib/contract/grants.ts'
import { newPasskey } from '../../lib/contract/requests/passkeys.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'
import { passkeyOwner } from '../../lib/http/own-session.ts'

export const route = {
  method: 'POST',
  path: '/api/passkeys/registration',
  access: 'authenticated',
  credentials: 'session',
  loginWithinSeconds: 300,
  audit: { action: 'passkey.created' },
} as const satisfies Route

export const about = (): About => {
  const { id, name, createdAt } = PASSKEY
  return {
    tag: 'Passkeys',
    summary: 'Add a passkey',
    description:
      '`credential` is what `toJSON()` of the new credential gives. It has to answer the last challenge of the session, on a page of this service, with the user verified; the attempt spends the challenge. An account has at most 10 passkeys.',
    reads: { json: newPasskey },
    bodyExample: { name, credential: NEW_CREDENTIAL },
    refuses: ['PASSKEYS_ELSEWHERE', 'PASSKEY_LIMIT_REACHED'],
    sample: { json: {}, granted: 400 },
    answers: {
      201: jsonAnswer('The passkey logs the account in from now on.', registeredPasskey, { id, name, createdAt }),
    },
    grants: [...SESSION, RECORD, TAKE_CHALLENGE, CHANGE_PASSKEYS],
  }
}

export function start() {
  const app = makePasskeyRegistration()
  return endpoint(route, app, json(newPasskey), async ({ event, principal, input }) =>
    created(await registerPasskey(app, passkeyOwner(event, principal), input)),
  )
}
