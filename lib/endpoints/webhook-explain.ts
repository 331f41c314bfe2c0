import { recordedCall } from '../contract/requests/recorded-call.ts'
import { explanation, jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS, WEBHOOK_SECRETS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/explain',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = {
  json: { source: 'playground', request: { headers: {}, bodyBase64: 'e30=' } },
  granted: 200,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Tell why a recorded webhook call is refused',
    description:
      'It is judged by the secrets and the clock of the service, as one of `source`, and stored nowhere. `url` may be a path; without it the call went to the address of its source. `at` is the time at which it came.',
    reads: { json: recordedCall },
    answers: {
      200: {
        description: 'A word and a sentence; `accepted` for a call that is not refused.',
        example: { reason: 'too-old', sentence: 'It was signed 412 s ago; 300 s are allowed.' },
        content: jsonContent(explanation),
      },
    },
    grants: [...ANY_CREDENTIALS, WEBHOOK_SECRETS],
  }) as const satisfies About
