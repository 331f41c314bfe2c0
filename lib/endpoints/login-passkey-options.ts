import { requestOptions } from '../contract/passkey-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { CHALLENGE } from './examples.ts'
import { KEEP_CHALLENGE, SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/login/passkey/options',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Begin a login with a passkey',
    description: 'A cookie binds the challenge to the browser.',
    answers: {
      200: {
        description: 'What the browser needs to ask for a passkey.',
        headers: ['cookies'],
        example: {
          challenge: CHALLENGE,
          rpId: 'gatehouse.example',
          timeout: 300_000,
          userVerification: 'required',
          allowCredentials: [],
        },
        content: jsonContent(requestOptions),
      },
    },
    grants: [...SESSION, KEEP_CHALLENGE],
  }) as const satisfies About
