import * as z from 'zod'
import { authorities, authType, instant, jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/auth/info',
  access: 'authenticated',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Show the caller',
    answers: {
      200: {
        description: 'The user, the authentication method and its expiry.',
        example: {
          authenticated: true,
          username: 'admin',
          authorities: [{ authority: 'ROLE_ADMIN' }],
          authType: 'JWT',
          principalType: 'JwtUser',
          tokenExpiresAt: '2026-11-22T07:00:00.000Z',
        },
        content: jsonContent(
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
        ),
      },
    },
    grants: ANY_CREDENTIALS,
  }) as const satisfies About
