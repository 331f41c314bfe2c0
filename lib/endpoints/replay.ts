import { jsonContent, replay } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { REPLAY } from './examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/replays/{replayId}',
  access: { role: 'ROLE_ADMIN' },
} as const satisfies Route

export const sampleRequest = { parameters: { replayId: 'playground' }, granted: 404 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Operators',
    summary: 'Show the progress of a replay',
    refuses: ['REPLAY_NOT_FOUND'],
    answers: {
      200: {
        description: 'The progress.',
        example: { ...REPLAY, state: 'DONE', done: 199, failed: 1 },
        content: jsonContent(replay),
      },
    },
    grants: [
      ...ANY_CREDENTIALS,
      COUNT_REPLAYED,
      { 'DeliveriesTable/index/byReplay': ['Query'], ReplaysTable: ['GetItem'] },
    ],
  }) as const satisfies About
