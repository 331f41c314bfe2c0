import * as z from 'zod'
import type { About } from './about.ts'
import { ANY_OR_KEY } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}/payload',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
  audit: { action: 'payload.read', target: 'event' },
} as const satisfies Route

export const sampleRequest = {
  parameters: { source: 'payment', eventId: 'playground' },
  granted: 404,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Get the complete payload of a webhook event',
    description: 'The answer has the content type from the sender and is a download: browsers neither show nor run it.',
    refuses: ['EVENT_NOT_FOUND', 'PAYLOAD_DELETED'],
    answers: {
      200: {
        description: 'The received bytes.',
        headers: ['disposition', 'policy'],
        content: { '*/*': z.string().meta({ format: 'binary', description: 'The body, byte for byte.' }) },
      },
    },
    grants: [...ANY_OR_KEY, { EventsTable: ['BatchGetItem', 'GetItem'] }],
  }) as const satisfies About
