import { madePayment } from '../contract/changed-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { PAYMENT } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/payments/{transactionId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = {
  parameters: { transactionId: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Show a payment and its webhook events',
    description:
      'The id cannot contain a slash, not even as `%2F`. Use `GET /api/payments?transactionId=` for such an id, and for `.` and `..`.',
    refuses: ['PAYMENT_NOT_FOUND'],
    answers: {
      200: { description: 'The present state.', example: PAYMENT, content: jsonContent(madePayment) },
    },
    grants: [...ANY_CREDENTIALS, { PaymentsTable: ['GetItem'] }],
  }) as const satisfies About
