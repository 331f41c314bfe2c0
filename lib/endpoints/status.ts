import * as z from 'zod'
import { jsonContent, natural } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/status',
  access: 'public',
} as const satisfies Route

export const about = () => {
  const state = z.enum(['ok', 'slow', 'down']).meta({
    id: 'PartStatus',
    description: 'A part that takes more than one second is slow. One that fails, or takes more than three, is down.',
  })
  const part = z
    .strictObject({
      name: z.enum(['database', 'queue', 'directory', 'channels', 'google', 'github', 'facebook']),
      state,
      ageSeconds: natural.describe('How long ago the part was looked at.'),
      address: z.string().optional().describe('On the local stage, and for administrators.'),
      waiting: natural.optional().describe('Messages in the queue, approximately: for the same callers.'),
    })
    .meta({ id: 'Part' })
  return {
    tag: 'Greetings',
    summary: 'Show the state of the parts',
    description:
      'The parts that the service depends on. Each instance looks at them at most every ten seconds. The session of an administrator adds addresses and counts; other credentials are ignored.',
    answers: {
      200: {
        description: 'Each part, and the worst of their states. The status is 200 even if a part is down.',
        example: {
          state: 'slow',
          parts: [
            { name: 'database', state: 'ok', ageSeconds: 4 },
            { name: 'queue', state: 'slow', ageSeconds: 4 },
          ],
        },
        content: jsonContent(z.strictObject({ state, parts: z.array(part) }).meta({ id: 'Status' })),
      },
    },
    grants: [...SESSION, { RetryQueue: ['GetQueueAttributes'] }],
  } as const satisfies About
}
