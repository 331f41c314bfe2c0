import { makePasskeyStart } from '../../lib/app/passkeys.ts'
import { passkeyLoginOptions } from '../../lib/auth/passkeys/login.ts'
import type { About } from '../../lib/contract/about.ts'
import { requestOptions } from '../../lib/contract/answers/logins.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { CHALLENGE } from '../../lib/contract/examples.ts'
import { KEEP_CHALLENGE, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { ticketCookie } from '../../lib/http/own-session.ts'

export const route = { method: 'POST', path: '/login/passkey/options', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Begin a login with a passkey',
  description: 'A cookie binds the challenge to the browser.',
  answers: {
    200: {
      description: 'What the browser needs to ask for a passkey.',
      headers: ['cookies'],
      example: {
        challenge: CHALLENGE,
        rpId: 'gatehouse.example',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      },
      content: jsonContent(requestOptions),
    },
  },
  grants: [...SESSION, KEEP_CHALLENGE],
})

export function start() {
  const app = makePasskeyStart()
  return endpoint(route, app, async () => {
    const { options, ticket } = await passkeyLoginOptions(app)
    return { ...ok(options), cookies: [ticketCookie(ticket, app)] }
  })
}
