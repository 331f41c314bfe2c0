import { bytes } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { UNCHANGED } from './examples.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/docs/{asset}',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Description',
    summary: 'Get a file of that page',
    answers: {
      200: {
        description: 'The file.',
        headers: ['encoding', 'entityTag', 'revalidation', 'vary'],
        content: { 'text/css': bytes, 'text/javascript': bytes, 'text/plain': bytes },
      },
      304: UNCHANGED,
    },
    grants: [],
  }) as const satisfies About
