import { makePasskeyLogin } from '../../lib/app/passkey-login.ts'
import { returnAddress } from '../../lib/auth/csrf.ts'
import { logInWithPasskey } from '../../lib/auth/passkeys/login.ts'
import type { About } from '../../lib/contract/about.ts'
import { loginRedirect } from '../../lib/contract/answers/logins.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { USED_CREDENTIAL } from '../../lib/contract/examples.ts'
import { FAILURES, READ_PASSKEYS, RECORD, SESSION, START_SESSION } from '../../lib/contract/grants.ts'
import { passkeyLogin } from '../../lib/contract/requests/passkeys.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { presentedPasskey, spentTicket } from '../../lib/http/own-session.ts'
import { LOGIN_BODY } from '../../lib/runtime/text.ts'

export const route = { method: 'POST', path: '/login/passkey', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Begin a session with a passkey',
  description:
    '`credential` is what `toJSON()` of the credential gives. It has to answer the challenge of the browser, on a page of this service, with the user verified and with a signature counter above the last one; the attempt spends the challenge. Every refusal is the same, and counts like a wrong password. `returnTo` may name a path of ours.',
  reads: { json: passkeyLogin },
  bodyExample: { credential: USED_CREDENTIAL, returnTo: '/console/webhooks' },
  refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
  answers: {
    200: {
      description: 'With the cookies of a session.',
      headers: ['cookies'],
      example: { redirect: '/' },
      content: jsonContent(loginRedirect),
    },
  },
  grants: [
    ...SESSION,
    FAILURES,
    RECORD,
    READ_PASSKEYS,
    START_SESSION,
    { PasskeysTable: ['UpdateItem:passkey-*'], UsersTable: ['UpdateItem:lastLoginAt'] },
  ],
})

export function start() {
  const app = makePasskeyLogin()
  return endpoint(route, app, json(passkeyLogin, LOGIN_BODY), async ({ event, input }) => {
    const started = await logInWithPasskey(app, presentedPasskey(event, app, input.credential))
    const redirect = returnAddress(input.returnTo, app.baseUrl)
    return { ...ok({ redirect }), cookies: [...app.startedCookies(started), spentTicket(app)] }
  })
}
