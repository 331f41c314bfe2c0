import { app } from '../../lib/app/login.ts'
import { signIn } from '../../lib/auth/sign-in.ts'
import { tokenRole } from '../../lib/auth/token-role.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import { addressOf } from '../../lib/http/client-address.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { form } from '../../lib/http/form.ts'
import { ok } from '../../lib/http/message.ts'

export const handler = endpoint('authLogin', app, form(loginForm), async ({ event, input }) => {
  const { username, roles } = await signIn(app, { ...input, address: addressOf(event, app) }, 'Login')
  const role = tokenRole(roles)
  return ok({
    token: await app.tokens.issue(username, role),
    username,
    role,
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
  })
})
