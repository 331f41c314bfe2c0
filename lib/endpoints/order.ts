import { madeOrder } from '../contract/changed-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ORDER } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/orders/{orderId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { parameters: { orderId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Show an order and its webhook events',
    description:
      'The id cannot contain a slash, not even as `%2F`. Use `GET /api/orders?orderId=` for such an id, and for `.` and `..`.',
    refuses: ['ORDER_NOT_FOUND'],
    answers: {
      200: { description: 'The present state.', example: ORDER, content: jsonContent(madeOrder) },
    },
    grants: [...ANY_CREDENTIALS, { OrdersTable: ['GetItem'] }],
  }) as const satisfies About
