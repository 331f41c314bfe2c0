import { makeStatus } from '../../lib/app/status.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { partStates } from '../../lib/contract/answers/operation.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { statusFor } from '../../lib/http/status.ts'

export const route = { method: 'GET', path: '/api/status', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Greetings',
  summary: 'Show the state of the parts',
  description:
    'The parts that the service depends on. Each instance looks at them at most every ten seconds. The session of an administrator adds addresses, counts and the version; other credentials are ignored.',
  answers: {
    200: jsonAnswer('Each part, and the worst of their states. The status is 200 even if a part is down.', partStates, {
      state: 'slow',
      parts: [
        { name: 'database', state: 'ok', ageSeconds: 4 },
        { name: 'queue', state: 'slow', ageSeconds: 4 },
      ],
    }),
  },
  grants: [...SESSION, { RetryQueue: ['GetQueueAttributes'] }],
})

export function start() {
  const app = makeStatus()
  return endpoint(route, app, async ({ event }) => ok(await statusFor(event, app)))
}
