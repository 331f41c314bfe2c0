import { makeAssets } from '../../lib/app/built-files.ts'
import type { About } from '../../lib/contract/about.ts'
import { bytes } from '../../lib/contract/answers/shapes.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { assetReply } from '../../lib/http/served-file.ts'

export const route = { method: 'GET', path: '/assets/{name}', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Pages',
  summary: 'Get a file of the pages',
  answers: {
    200: {
      description: 'The file. Its name changes with its content.',
      headers: ['encoding', 'keeping', 'vary'],
      content: { 'text/css': bytes, 'text/javascript': bytes, 'text/plain': bytes, 'image/svg+xml': bytes },
    },
  },
  grants: [],
})

export function start() {
  const app = makeAssets()
  return endpoint(route, app, ({ event, parameters }) => assetReply(app.assets.get(parameters['name'] ?? ''), event))
}
