import * as z from 'zod'
import { destination } from '../contract/delivery-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DESTINATION } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/destinations',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'List the destinations of events',
    answers: {
      200: {
        description: 'All configured destinations.',
        example: { destinations: [DESTINATION] },
        content: jsonContent(
          z.strictObject({ destinations: z.array(destination).max(25) }).meta({ id: 'DestinationList' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { DeliveriesTable: ['Query'], 'DeliveriesTable/index/due': ['Query'] }],
  }) as const satisfies About
