import * as z from 'zod'
import { makeSessionOnly } from '../../lib/app/checks.ts'
import { describeProfile } from '../../lib/auth/principal.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { authorities } from '../../lib/contract/answers/accounts.ts'
import { oauth2Profile } from '../../lib/contract/answers/logins.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/oauth2/profile',
  access: 'authenticated',
  credentials: 'session',
  profile: 'oauth2',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'Show the profile from the identity provider',
  answers: {
    200: jsonAnswer(
      'The profile of a login with a provider. A login with the form has fewer fields.',
      z.union([
        oauth2Profile,
        z
          .strictObject({ message: z.string(), user: z.string(), authorities })
          .meta({ id: 'SessionProfile', description: 'The profile of a user who logged in with the form.' }),
      ]),
      {
        message: 'OAuth2 Authentication Demo',
        user: 'google:108',
        provider: 'google',
        email: 'ada@example.com',
        name: 'Ada',
        picture: null,
        attributes: { sub: '108', name: 'Ada', email: 'ada@example.com', email_verified: true },
      },
    ),
  },
  grants: SESSION,
})

export const start = () => endpoint(route, makeSessionOnly(), ({ principal }) => ok(describeProfile(principal)))
