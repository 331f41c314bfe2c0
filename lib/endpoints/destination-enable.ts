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
  path: '/api/destinations/{name}/enable',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'destination.enabled', target: 'destination', names: ['reason'] },
} as const satisfies Route

export const sampleRequest = {
  parameters: { name: 'playground' },
  json: { reason: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Enable a destination',
    description: 'This also closes an open circuit. Waiting deliveries go out within minutes.',
    reads: { json: retryCommand },
    bodyExample: { reason: 'the shop is open again' },
    isBodyOptional: true,
    refuses: ['DESTINATION_NOT_FOUND'],
    answers: {
      200: {
        description: 'It is enabled.',
        example: DESTINATION,
        content: jsonContent(destination),
      },
    },
    grants: [...ANY_CREDENTIALS, { DeliveriesTable: ['GetItem', 'PutItem'], 'DeliveriesTable/index/due': ['Query'] }],
  }) as const satisfies About
