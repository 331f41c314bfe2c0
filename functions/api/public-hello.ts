import * as z from 'zod'
import { makePublic } from '../../lib/app/edge.ts'
import { greetAnybody } from '../../lib/auth/principal.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const route = { method: 'GET', path: '/api/public/hello', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Greetings',
  summary: 'Greet every caller',
  answers: {
    200: jsonAnswer(
      'A greeting; credentials are ignored.',
      z.strictObject({ message: z.string() }).meta({ id: 'PublicGreeting' }),
      { message: 'Hello, world! (public endpoint - no authentication required)' },
    ),
  },
  grants: [],
})

export const start = () => endpoint(route, makePublic(), () => ok(greetAnybody()))
