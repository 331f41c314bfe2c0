import { makePasskeyList } from '../../lib/app/passkeys.ts'
import { registrationOptions } from '../../lib/auth/passkeys/registration.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { creationOptions } from '../../lib/contract/answers/logins.ts'
import { CHALLENGE } from '../../lib/contract/examples.ts'
import { KEEP_CHALLENGE, READ_PASSKEYS, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { passkeyOwner } from '../../lib/http/own-session.ts'

export const route = {
  method: 'POST',
  path: '/api/passkeys/registration/options',
  access: 'authenticated',
  credentials: 'session',
  loginWithinSeconds: 300,
} as const satisfies Route

export const about = (): About => ({
  tag: 'Passkeys',
  summary: 'Begin to add a passkey',
  description:
    'The challenge belongs to the session, which has one: the last. A session of an identity provider is refused with 403.',
  refuses: ['PASSKEYS_ELSEWHERE', 'PASSKEY_LIMIT_REACHED'],
  sample: { granted: 200 },
  answers: {
    200: jsonAnswer('What the browser needs to make a passkey.', creationOptions, {
      rp: { id: 'gatehouse.example', name: 'Gatehouse' },
      user: { id: 'MDE5OWExYzItN2IzYy03YzFlLTlmNWEtM2E1ZjBjN2QyZTEx', name: 'ada', displayName: 'ada' },
      challenge: CHALLENGE,
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }),
  },
  grants: [...SESSION, READ_PASSKEYS, KEEP_CHALLENGE],
})

export function start() {
  const app = makePasskeyList()
  return endpoint(route, app, async ({ event, principal }) =>
    ok(await registrationOptions(app, passkeyOwner(event, principal))),
  )
}
