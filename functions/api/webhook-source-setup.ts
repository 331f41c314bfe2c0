import { makeSetup } from '../../lib/app/operators.ts'
import type { About } from '../../lib/contract/about.ts'
import { sourceSetup } from '../../lib/contract/answers/operation.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { shownSetup } from '../../lib/webhooks/setup.ts'

export const route = {
  method: 'GET',
  path: '/api/webhooks/sources/{name}/setup',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'setup.read', target: 'source' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Operators',
  summary: 'Get the token that a sender handed over',
  description: 'Until the hour of its set-up ends.',
  refuses: ['SETUP_NOT_FOUND'],
  sample: { parameters: { name: 'notion' }, granted: 200 },
  answers: {
    200: {
      description: 'The set-up.',
      example: {
        state: 'received',
        token: 'the token of the first call',
        at: '2026-11-21T07:00:00.000',
        from: '192.0.2.1',
      },
      content: jsonContent(sourceSetup),
    },
  },
  grants: [...ANY_CREDENTIALS, { RefusalsTable: ['GetItem'] }],
})

export async function start() {
  const app = await makeSetup()
  return endpoint(route, app, async ({ parameters }) => ok(await shownSetup(app, parameters['name'])))
}
