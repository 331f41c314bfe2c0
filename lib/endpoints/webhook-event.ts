import { eventDetail, jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { EVENT } from './examples.ts'
import { ANY_OR_KEY } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/events/{source}/{eventId}',
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
    summary: 'Show one webhook event',
    refuses: ['EVENT_NOT_FOUND'],
    answers: {
      200: {
        description: 'The event with payload, headers and history.',
        example: {
          ...EVENT,
          payload: '{"eventId":"evt-1"}',
          payloadEncoding: 'utf8',
          payloadTruncated: false,
          payloadBytes: 19,
          payloadDeletedAt: null,
          headers: { 'content-type': 'application/json' },
          history: [{ at: '2026-11-21T07:00:00.000', status: 'PROCESSED', by: 'intake', error: null }],
          items: [],
        },
        content: jsonContent(eventDetail),
      },
    },
    grants: [...ANY_OR_KEY, { EventsTable: ['BatchGetItem', 'GetItem'] }],
  }) as const satisfies About
