import { jsonContent, loginSteps } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/oauth2/steps',
  access: 'authenticated',
  credentials: 'session',
  profile: 'oauth2',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Users',
    summary: 'Show how the login with the identity provider went',
    description: 'What was asked and answered at each step, and what was checked. No secret is kept whole.',
    refuses: ['LOGIN_STEPS_NOT_FOUND'],
    answers: {
      200: {
        description: 'The steps of the login that the session began with.',
        example: {
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
        },
        content: jsonContent(loginSteps),
      },
    },
    grants: SESSION,
  }) as const satisfies About
