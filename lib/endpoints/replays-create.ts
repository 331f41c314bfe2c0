import * as z from 'zod'
import { newReplay } from '../contract/requests/new-replay.ts'
import { jsonContent, natural, replay } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { REPLAY } from './examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED, LIST_EVENTS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/replays',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'replay.started', names: ['destination', 'reason'] },
} as const satisfies Route

export const sampleRequest = {
  json: { replayId: 'playground', filter: {}, dryRun: true },
  granted: 200,
} as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Retry the failed events that match a filter, or deliver matching events again',
    reads: { json: newReplay },
    bodyExample: {
      replayId: 'shop-outage',
      filter: { source: 'shopify', from: '2026-11-21T05:00:00.000', dead: true },
      reason: 'the shop is open again',
    },
    refuses: ['DESTINATION_NOT_FOUND', 'REPLAY_EXISTS'],
    answers: {
      200: {
        description: 'The number of events that a dry run counted.',
        example: { matched: 200 },
        content: jsonContent(z.strictObject({ matched: natural }).meta({ id: 'ReplayCount' })),
      },
      202: { description: 'The replay has begun.', example: REPLAY, content: jsonContent(replay) },
    },
    grants: [
      ...ANY_CREDENTIALS,
      COUNT_REPLAYED,
      LIST_EVENTS,
      {
        'DeliveriesTable/index/byReplay': ['Query'],
        ReplaysTable: ['GetItem', 'PutItem'],
        ReplayQueue: ['SendMessage'],
        DeliveriesTable: ['BatchGetItem', 'GetItem'],
        'DeliveriesTable/index/dead': ['Query'],
      },
    ],
  }) as const satisfies About
