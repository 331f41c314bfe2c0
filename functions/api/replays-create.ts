import * as z from 'zod'
import { makeReplays } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { replay } from '../../lib/contract/answers/deliveries.ts'
import { natural } from '../../lib/contract/answers/shapes.ts'
import { REPLAY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, COUNT_REPLAYED, each, LIST_EVENTS } from '../../lib/contract/grants.ts'
import { newReplay } from '../../lib/contract/requests/replays.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted, ok } from '../../lib/http/message.ts'
import { startReplay } from '../../lib/webhooks/operators/replay.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/replays',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'replay.started', names: ['destination', 'reason'] },
} as const satisfies Route

const WRITTEN =
  'acceptedAt destination done failed filter isListed listed matched orderedBy ratePerSecond reason state step user waiting wakeAt'

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Retry the failed events that match a filter, or deliver matching events again',
  reads: { json: newReplay },
  bodyExample: {
    replayId: 'shop-outage',
    filter: { source: 'shopify', from: '2026-11-21T05:00:00.000', dead: true },
    reason: 'the shop is open again',
  },
  refuses: ['DESTINATION_NOT_FOUND', 'REPLAY_EXISTS'],
  sample: { json: { replayId: 'playground', filter: {}, dryRun: true }, granted: 200 },
  answers: {
    200: jsonAnswer(
      'The number of events that a dry run counted.',
      z.strictObject({ matched: natural }).meta({ id: 'ReplayCount' }),
      { matched: 200 },
    ),
    202: jsonAnswer('The replay has begun.', replay, REPLAY),
  },
  grants: [
    ...ANY_CREDENTIALS,
    COUNT_REPLAYED,
    LIST_EVENTS,
    {
      'DeliveriesTable/index/byReplay': ['Query'],
      ReplaysTable: ['GetItem', ...each('PutItem', WRITTEN)],
      ReplayQueue: ['SendMessage'],
      DeliveriesTable: ['BatchGetItem', 'GetItem'],
      'DeliveriesTable/index/dead': ['Query'],
    },
  ],
})

export async function start() {
  const app = await makeReplays()
  const ANSWERS = { counted: ok, accepted } as const
  return endpoint(route, app, json(newReplay), async ({ principal, input }) => {
    const { username: user, uid: orderedBy } = principal
    const { kind, ...answer } = await startReplay(app, { ...input, user, orderedBy })
    return ANSWERS[kind](answer)
  })
}
