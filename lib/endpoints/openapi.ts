import * as z from 'zod'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { UNCHANGED } from './examples.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Description',
    summary: 'Describe the API',
    answers: {
      200: {
        description: 'This document.',
        headers: ['encoding', 'entityTag', 'revalidation', 'vary'],
        example: {
          openapi: '3.1.1',
          info: { title: 'Gatehouse', version: '0.1.0' },
          servers: [{ url: '/' }],
          tags: [{ name: 'Greetings' }],
          'x-common-headers': {},
          paths: {},
          components: {},
        },
        content: jsonContent(
          z
            .strictObject({
              openapi: z.literal('3.1.1'),
              info: z.record(z.string(), z.unknown()),
              servers: z.array(z.unknown()),
              tags: z.array(z.unknown()),
              'x-common-headers': z.record(z.string(), z.unknown()),
              paths: z.record(z.string(), z.unknown()),
              components: z.record(z.string(), z.unknown()),
            })
            .meta({ id: 'ApiDescription' }),
        ),
      },
      304: UNCHANGED,
    },
    grants: [],
  }) as const satisfies About
