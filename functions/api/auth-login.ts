import { makeTokenLogin } from '../../lib/app/login.ts'
import { issueToken, tokenHolder } from '../../lib/auth/account-gate.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { formOrJson } from '../../lib/http/form.ts'
import { addressOf, ok } from '../../lib/http/message.ts'

const app = await makeTokenLogin()

export const handler = endpoint('authLogin', app, formOrJson(loginForm), async ({ event, input }) => {
  const credentials = { ...input, address: addressOf(event, app), method: 'token' } as const
  const holder = await app.signIn(credentials, 'Login', tokenHolder)
  const { username, role } = holder
  const token = await issueToken(app, holder)
  await app.logins.accepted({ ...holder, authType: 'JWT' }, credentials.address)
  return ok({ token, username, role, ...app.texts })
})
