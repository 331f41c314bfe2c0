import { countQuery } from '../contract/requests/count-query.ts'
import { eventCounts, jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_OR_KEY, LIST_EVENTS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/counts',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const sampleRequest = { query: '?status=FAILED', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Count webhook events',
    description:
      'Counts by status, by source, and by status over time. Without `from` and `to` it covers the last 24 hours. It reads at most 50,000 events, newest first.',
    reads: { query: countQuery },
    answers: {
      200: {
        description: 'The counts. Counts of zero are absent.',
        example: {
          from: '2026-11-21T05:30:00.000',
          to: '2026-11-21T07:00:00.000',
          complete: true,
          bucketSeconds: 3600,
          totals: { status: { FAILED: 2, PROCESSED: 198 }, source: { payment: 40, stripe: 160 } },
          buckets: [
            { at: '2026-11-21T05:00:00.000', status: { PROCESSED: 58 } },
            { at: '2026-11-21T06:00:00.000', status: { FAILED: 2, PROCESSED: 140 } },
            { at: '2026-11-21T07:00:00.000', status: {} },
          ],
        },
        content: jsonContent(eventCounts),
      },
    },
    grants: [...ANY_OR_KEY, LIST_EVENTS],
  }) as const satisfies About
