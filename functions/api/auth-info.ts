import * as z from 'zod'
import { makeApi } from '../../lib/app/checks.ts'
import { describePrincipal } from '../../lib/auth/principal.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { authorities, authType } from '../../lib/contract/answers/accounts.ts'
import { instant } from '../../lib/contract/answers/shapes.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = { method: 'GET', path: '/api/auth/info', access: 'authenticated' } as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Show the caller',
  answers: {
    200: jsonAnswer(
      'The user, the authentication method and its expiry.',
      z
        .strictObject({
          authenticated: z.literal(true),
          username: z.string(),
          authorities,
          authType,
          principalType: z.enum(['JwtUser', 'DatabaseUser', 'DirectoryUser', 'OidcUser', 'OAuth2User']),
          tokenExpiresAt: instant.optional(),
          sessionExpiresAt: instant.optional(),
        })
        .meta({ id: 'AuthInfo' }),
      {
        authenticated: true,
        username: 'admin',
        authorities: [{ authority: 'ROLE_ADMIN' }],
        authType: 'JWT',
        principalType: 'JwtUser',
        tokenExpiresAt: '2026-11-22T07:00:00.000Z',
      },
    ),
  },
  grants: ANY_CREDENTIALS,
})

export const start = async () => endpoint(route, await makeApi(), ({ principal }) => ok(describePrincipal(principal)))
