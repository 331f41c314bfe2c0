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
    summary: 'Show an order and the webhook events that made it',
    description:
      'No slash may be in the id, not even as `%2F`: one that has a slash, or is `.` or `..`, is found by `GET /api/orders?orderId=`.',
    refuses: ['ORDER_NOT_FOUND'],
    answers: {
      200: { description: 'As it stands.', example: ORDER, content: jsonContent(madeOrder) },
    },
    grants: [...ANY_CREDENTIALS, { OrdersTable: ['GetItem'] }],
  }) as const satisfies About
