import * as z from 'zod'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/api/public/hello',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Greetings',
    summary: 'Greet every caller',
    answers: {
      200: {
        description: 'A greeting; credentials are ignored.',
        example: { message: 'Hello, world! (public endpoint - no authentication required)' },
        content: jsonContent(z.strictObject({ message: z.string() }).meta({ id: 'PublicGreeting' })),
      },
    },
    grants: [],
  }) as const satisfies About
