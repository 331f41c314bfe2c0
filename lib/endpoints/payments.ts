import * as z from 'zod'
import { madePayment } from '../contract/changed-schemas.ts'
import { paymentQuery } from '../contract/requests/changed-query.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { PAYMENT } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/payments',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the payments from webhooks',
    description:
      'Last changed first. A payment that changes between two pages moves to the front. A page may hold fewer payments than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`. `transactionId` finds one, with any characters.',
    reads: { query: paymentQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { payments: [PAYMENT], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ payments: z.array(madePayment).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'PaymentList' }),
        ),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      { PaymentsTable: ['BatchGetItem', 'GetItem'], 'PaymentsTable/index/byTime': ['Query'] },
    ],
  }) as const satisfies About
