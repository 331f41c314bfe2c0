import { makeSetup } from '../../lib/app/operators.ts'
import type { About } from '../../lib/contract/about.ts'
import { setupOpened } from '../../lib/contract/answers/operation.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { ANY_CREDENTIALS, each } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { accepted } from '../../lib/http/message.ts'
import { openSetup } from '../../lib/webhooks/setup.ts'

export const route = {
  method: 'POST',
  path: '/api/webhooks/sources/{name}/setup',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'setup.opened', target: 'source' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Wait for the token of a sender',
  description:
    'For an hour, the first unsigned call of the source is answered as its sender expects, and its token is kept to be shown. It is no event. Before and after, every unsigned call is refused.',
  refuses: ['SETUP_NOT_FOUND'],
  sample: { parameters: { name: 'playground' }, granted: 404 },
  answers: {
    202: {
      description: 'It is open.',
      example: { until: '2026-11-21T08:00:00.000' },
      content: jsonContent(setupOpened),
    },
  },
  grants: [...ANY_CREDENTIALS, { RefusalsTable: each('PutItem', 'state ttl until') }],
})

export async function start() {
  const app = await makeSetup()
  return endpoint(route, app, async ({ parameters }) => accepted(await openSetup(app, parameters['name'])))
}
