import * as z from 'zod'
import { madeOrder } from '../contract/changed-schemas.ts'
import { orderQuery } from '../contract/requests/changed-query.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ORDER } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/orders',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the orders from webhooks',
    description:
      'Last changed first. An order that changes between two pages moves to the front. A page may hold fewer orders than its limit, or none, and still have a `nextCursor`. The list ends when it is `null`. `orderId` finds one, with any characters.',
    reads: { query: orderQuery },
    answers: {
      200: {
        description: 'One page.',
        example: { orders: [ORDER], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ orders: z.array(madeOrder).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'OrderList' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { OrdersTable: ['BatchGetItem', 'GetItem'], 'OrdersTable/index/byTime': ['Query'] }],
  }) as const satisfies About
