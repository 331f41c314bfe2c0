import * as z from 'zod'
import { textContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { WEBHOOK_SECRETS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/webhooks/{provider}',
  isChallenge: true,
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Webhooks',
    summary: 'Answer a provider’s endpoint-verification challenge',
    reads: {
      challenge: {
        challenge: 'The value that Dropbox expects in the answer.',
        'hub.challenge': 'The value that Meta expects in the answer.',
        'hub.mode': 'From meta: `subscribe`.',
        'hub.verify_token': 'From meta: the token that the owner of the address chose.',
      },
    },
    answers: {
      200: { description: 'The challenge.', example: '1158201444', content: textContent(z.string()) },
    },
    grants: [WEBHOOK_SECRETS],
  }) as const satisfies About
