import * as z from 'zod'
import { makeTokenLogin } from '../../lib/app/login.ts'
import { issueToken, tokenHolder } from '../../lib/auth/account-gate.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { role } from '../../lib/contract/answers/accounts.ts'
import { ANY_CREDENTIALS, REHASH } from '../../lib/contract/grants.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import type { Route } from '../../lib/contract/route.ts'
import { TOKEN_USAGES } from '../../lib/contract/tokens.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { formOrJson } from '../../lib/http/form.ts'
import { addressOf, ok } from '../../lib/http/message.ts'

export const route = { method: 'POST', path: '/api/auth/login', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Get a token for a name and a password',
  description: 'Takes a form or JSON. In the profiles `jdbc`, `ldap` and `oauth2` the token opens only gRPC and STOMP.',
  reads: { form: loginForm.schema, json: loginForm.schema },
  bodyExample: { username: 'ada', password: 'correct horse battery staple' },
  refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
  answers: {
    200: jsonAnswer(
      'A JWT for the `Authorization` header, here and over gRPC and STOMP.',
      z
        .strictObject({
          token: z
            .string()
            .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
            .describe('A JWT, signed with HS512.'),
          username: z.string(),
          role,
          message: z.string(),
          usage: z.enum(Object.values(TOKEN_USAGES)),
        })
        .meta({ id: 'Login' }),
      {
        token: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl',
        username: 'admin',
        role: 'ROLE_ADMIN',
        message: 'Login successful - use this JWT token for authenticated requests',
        usage: TOKEN_USAGES.http,
      },
    ),
  },
  grants: [...ANY_CREDENTIALS, REHASH],
})

export async function start() {
  const app = await makeTokenLogin()
  return endpoint(route, app, formOrJson(loginForm), async ({ event, input }) => {
    const credentials = { ...input, address: addressOf(event, app), method: 'token' } as const
    const holder = await app.signIn(credentials, 'Login', tokenHolder)
    const { username, role } = holder
    const token = await issueToken(app, holder)
    await app.logins.accepted({ ...holder, authType: 'JWT' }, credentials.address)
    return ok({ token, username, role, ...app.texts })
  })
}
