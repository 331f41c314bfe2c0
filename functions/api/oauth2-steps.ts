import { makeSessionOnly } from '../../lib/app/checks.ts'
import { describeSteps } from '../../lib/auth/principal.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { loginSteps } from '../../lib/contract/answers/logins.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/api/oauth2/steps',
  access: 'authenticated',
  credentials: 'session',
  profile: 'oauth2',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Users',
  summary: 'Show the steps of the login with the identity provider',
  description: 'The request, the answer and the checks of each step. No complete secret is stored.',
  refuses: ['LOGIN_STEPS_NOT_FOUND'],
  answers: {
    200: jsonAnswer('The steps of the login that created the session.', loginSteps, {
      provider: 'google',
      at: '2026-11-21T07:00:00.000Z',
      steps: [
        {
          name: 'callback',
          method: 'GET',
          url: 'https://gatehouse.example/login/oauth2/code/google',
          sent: [
            { name: 'state', value: '3kP0…' },
            { name: 'code', value: '4/0A…' },
          ],
          checks: [
            { name: 'state', result: 'PASSED', value: '3kP0…' },
            { name: 'iss', result: 'NOT_SENT' },
          ],
        },
      ],
    }),
  },
  grants: SESSION,
})

export const start = () => endpoint(route, makeSessionOnly(), ({ principal }) => ok(describeSteps(principal)))
