import * as z from 'zod'
import { loginForm } from '../contract/requests/login.ts'
import { jsonContent, role } from '../contract/schemas.ts'
import { TOKEN_USAGES } from '../contract/token-usage.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Get a token for a name and a password',
    description:
      'Takes a form or JSON. In the profiles `jdbc`, `ldap` and `oauth2` the token opens only gRPC and STOMP.',
    reads: { form: loginForm.schema, json: loginForm.schema },
    bodyExample: { username: 'ada', password: 'correct horse battery staple' },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      200: {
        description: 'A JWT for the `Authorization` header, here and over gRPC and STOMP.',
        example: {
          token: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl',
          username: 'admin',
          role: 'ROLE_ADMIN',
          message: 'Login successful - use this JWT token for authenticated requests',
          usage: TOKEN_USAGES.http,
        },
        content: jsonContent(
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
        ),
      },
    },
    grants: ANY_CREDENTIALS,
  }) as const satisfies About
