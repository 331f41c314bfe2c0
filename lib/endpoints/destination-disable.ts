import { destination } from '../contract/delivery-schemas.ts'
import { retryCommand } from '../contract/requests/retry-command.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { DESTINATION } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/destinations/{name}/disable',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'destination.disabled', target: 'destination', names: ['reason'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { name: 'playground' },
  json: { reason: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Disable a destination',
    description: 'Deliveries of later events wait until it is enabled.',
    reads: { json: retryCommand },
    bodyExample: { reason: 'the shop is closed' },
    isBodyOptional: true,
    refuses: ['DESTINATION_NOT_FOUND'],
    answers: {
      200: {
        description: 'It is disabled.',
        example: {
          ...DESTINATION,
          state: 'DISABLED',
          since: '2026-11-21T07:00:00.000',
          by: 'admin',
          reason: 'moving house',
        },
        content: jsonContent(destination),
      },
    },
    grants: [...ANY_CREDENTIALS, { DeliveriesTable: ['GetItem', 'PutItem'], 'DeliveriesTable/index/due': ['Query'] }],
  }) as const satisfies About
