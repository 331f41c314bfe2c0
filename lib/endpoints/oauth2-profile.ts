import * as z from 'zod'
import { authorities, jsonContent, oauth2Profile } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/oauth2/profile',
  access: 'authenticated',
  credentials: 'session',
  profile: 'oauth2',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Show the profile from the identity provider',
    answers: {
      200: {
        description: 'The profile of a login with a provider. A login with the form has fewer fields.',
        example: {
          message: 'OAuth2 Authentication Demo',
          user: 'google:108',
          provider: 'google',
          email: 'ada@example.com',
          name: 'Ada',
          picture: null,
          attributes: { sub: '108', name: 'Ada', email: 'ada@example.com', email_verified: true },
        },
        content: jsonContent(
          z.union([
            oauth2Profile,
            z
              .strictObject({ message: z.string(), user: z.string(), authorities })
              .meta({ id: 'SessionProfile', description: 'The profile of a user who logged in with the form.' }),
          ]),
        ),
      },
    },
    grants: SESSION,
  }) as const satisfies About
