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
    summary: 'Show a payment and the webhook events that made it',
    description:
      'No slash may be in the id, not even as `%2F`: one that has a slash, or is `.` or `..`, is found by `GET /api/payments?transactionId=`.',
    refuses: ['PAYMENT_NOT_FOUND'],
    answers: {
      200: { description: 'As it stands.', example: PAYMENT, content: jsonContent(madePayment) },
    },
    grants: [...ANY_CREDENTIALS, { PaymentsTable: ['GetItem'] }],
  }) as const satisfies About
