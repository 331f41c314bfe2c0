import * as z from 'zod'
import { jsonContent, natural } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/destinations/{name}/test',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'destination.tested', target: 'destination', isAlone: true },
} as const satisfies Route

export const sampleRequest = { parameters: { name: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Send a destination a test event',
    description:
      'Sends one sample event, `gatehouse.test` of the source `gatehouse`, at once and for at most 20 seconds. It is not stored, and its answer does not change the state of the destination.',
    refuses: ['DESTINATION_NOT_FOUND'],
    answers: {
      200: {
        description: 'The result, success or failure.',
        example: { delivered: true, answer: 'HTTP 200', durationMs: 214 },
        content: jsonContent(
          z
            .strictObject({
              delivered: z.boolean(),
              answer: z.string().describe('A status, or the class of an error.'),
              durationMs: natural,
            })
            .meta({ id: 'DestinationTest' }),
        ),
      },
    },
    grants: ANY_CREDENTIALS,
  }) as const satisfies About
