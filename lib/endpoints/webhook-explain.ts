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
    summary: 'Explain why a recorded webhook call is refused',
    description:
      'Judges the call with the secrets and the clock of the service, as a call of `source`, and stores nothing. `url` may be a path; by default it is the address of the source. `at` is the time of receipt.',
    reads: { json: recordedCall },
    bodyExample: {
      source: 'stripe',
      request: {
        method: 'POST',
        url: '/webhooks/stripe',
        headers: { 'content-type': 'application/json', 'stripe-signature': 't=1763708400,v1=…' },
        bodyBase64: 'eyJpZCI6ImV2dF8xIn0=',
      },
      at: '2026-11-21T07:00:00.000',
    },
    answers: {
      200: {
        description: 'A reason and a sentence; `accepted` for a valid call.',
        example: { reason: 'too-old', sentence: 'It was signed 412 s ago; 300 s are allowed.' },
        content: jsonContent(explanation),
      },
    },
    grants: [...ANY_CREDENTIALS, WEBHOOK_SECRETS],
  }) as const satisfies About
