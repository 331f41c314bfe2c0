import { makePasswordChange } from '../../lib/app/account.ts'
import { changePassword } from '../../lib/auth/change-password.ts'
import { passwordChange } from '../../lib/contract/requests/password-change.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { addressOf, noContent } from '../../lib/http/message.ts'
import { restartedCookies } from '../../lib/http/own-session.ts'

const app = await makePasswordChange()

export const handler = endpoint('accountPassword', app, json(passwordChange), async ({ event, principal, input }) => {
  await changePassword(app, { uid: principal.uid ?? '', address: addressOf(event, app) }, input)
  return { ...noContent(), cookies: await restartedCookies(event, principal, app) }
})
