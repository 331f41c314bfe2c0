import * as z from 'zod/mini'
import { makePasswordChange } from '../../lib/app/account.ts'
import { changePassword } from '../../lib/auth/change-password.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, FORGET, SET_PASSWORD, START_SESSION } from '../../lib/contract/grants.ts'
import { closed } from '../../lib/contract/requests/fields.ts'
import { newPassword } from '../../lib/contract/requests/users.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { addressOf, noContent } from '../../lib/http/message.ts'
import { restartedCookies } from '../../lib/http/own-session.ts'

export const route = {
  method: 'POST',
  path: '/api/account/password',
  access: 'authenticated',
  audit: { action: 'password.changed', target: 'user' },
} as const satisfies Route

const passwordChange = closed({
  current: z.string('must be a text').check(z.minLength(1, 'must not be empty')),
  new: newPassword,
  everything: z.optional(z.boolean('must be true or false')),
})

export const about = (): About => ({
  tag: 'Account',
  summary: 'Change your own password',
  description:
    'A wrong `current` gets 400, and counts as a failed login. All sessions and tokens of the account end, including the token of the call; with `everything`, its passkeys and API keys, too. The session of the call continues with a new id. Passwords of the directory and of identity providers cannot be changed here: 403.',
  reads: { json: passwordChange },
  bodyExample: { current: 'correct horse battery staple', new: 'staple battery horse correct' },
  refuses: ['PASSWORD_ELSEWHERE', 'TOO_MANY_REQUESTS'],
  sample: { json: {}, granted: 400 },
  answers: { 204: { description: 'The password is changed.', headers: ['cookiesIfAny'] } },
  grants: [...ANY_CREDENTIALS, SET_PASSWORD, FORGET, START_SESSION],
})

export async function start() {
  const app = await makePasswordChange()
  return endpoint(route, app, json(passwordChange), async ({ event, principal, input }) => {
    await changePassword(app, { uid: principal.uid ?? '', address: addressOf(event, app) }, input)
    return { ...noContent(), cookies: await restartedCookies(event, principal, app) }
  })
}
