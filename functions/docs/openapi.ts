import * as z from 'zod'
import { readDescription } from '../../lib/app/built-files.ts'
import { makePublic } from '../../lib/app/edge.ts'
import type { About } from '../../lib/contract/about.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { UNCHANGED } from '../../lib/contract/examples.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { serveFile } from '../../lib/http/served-file.ts'

export const route = { method: 'GET', path: '/openapi.json', access: 'public' } as const satisfies Route

export const about = (): About => ({
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
})

export function start() {
  const app = makePublic()
  const description = readDescription()
  return endpoint(route, app, ({ event }) => serveFile(event, description))
}
