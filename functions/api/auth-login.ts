import { app } from '../../lib/app/login.ts'
import { signIn } from '../../lib/auth/sign-in.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { form } from '../../lib/http/form.ts'
import { ok } from '../../lib/http/message.ts'

export const handler = endpoint('authLogin', app, form(loginForm), async ({ input }) => {
  const { username, role } = await signIn(app.users, input.username, input.password)
  const token = await app.tokens.issue(username, role)
  return ok({
    token,
    username,
    role,
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
  })
})
