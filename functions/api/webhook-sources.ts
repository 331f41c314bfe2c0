import { makeSourceList } from '../../lib/app/operators.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { sourceList } from '../../lib/contract/answers/operation.ts'
import { ANY_OR_KEY, WEBHOOK_SECRETS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { listSources } from '../../lib/webhooks/operators/sources.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/sources',
  access: { role: 'ROLE_ADMIN' },
  credentials: 'any-or-key',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'List the sources of webhooks',
  description:
    'By name: configured sources, sources with a secret, sources of the last 400 days, and `gatehouse` where a destination names it.',
  answers: {
    200: jsonAnswer('All sources that the caller may read.', sourceList, {
      sources: [
        {
          source: 'shop',
          configured: true,
          hasSecret: true,
          lastReceivedAt: '2026-11-21T07:00:00.000',
          expectEvery: '2h',
          silent: true,
          refusedOnly: true,
        },
        {
          source: 'zoom',
          configured: false,
          hasSecret: true,
          lastReceivedAt: null,
          expectEvery: null,
          silent: false,
          refusedOnly: false,
        },
      ],
    }),
  },
  grants: [...ANY_OR_KEY, WEBHOOK_SECRETS, { RefusalsTable: ['Query'] }],
})

export async function start() {
  const app = await makeSourceList()
  return endpoint(route, app, async ({ principal }) => {
    const sources = await listSources(app.sources(), app.clock.now(), principal.key?.sources)
    return ok({ sources })
  })
}
