import { bytes } from '../contract/schemas.ts'
import type { About } from './about.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/assets/{name}',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Get a file of the pages',
    answers: {
      200: {
        description: 'The file. Its name changes with its content.',
        headers: ['encoding', 'keeping', 'vary'],
        content: { 'text/css': bytes, 'text/javascript': bytes, 'text/plain': bytes, 'image/svg+xml': bytes },
      },
    },
    grants: [],
  }) as const satisfies About
