import { readReference } from '../../lib/app/built-files.ts'
import { makePages } from '../../lib/app/pages.ts'
import type { About } from '../../lib/contract/about.ts'
import { htmlContent } from '../../lib/contract/answers/shapes.ts'
import { OWN_HOST } from '../../lib/contract/examples.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { page } from '../../lib/http/pages/page.ts'
import { docsPage } from '../../lib/http/pages/script-page.ts'
import { compressed } from '../../lib/http/served-file.ts'

export const route = { method: 'GET', path: '/docs', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Description',
  summary: 'Show this description as a page',
  answers: {
    200: {
      description: 'The reference of the API, complete without a script.',
      headers: ['policy', 'encoding', 'vary'],
      content: htmlContent,
    },
    302: OWN_HOST,
  },
  grants: SESSION,
})

export function start() {
  const app = makePages()
  const reference = readReference()
  return endpoint(route, app, ({ event }) =>
    onOwnHost(event, app, async () => {
      const view = await app.viewOf(event)
      return compressed(event, page(app.site, view, docsPage(reference, view, app.site)))
    }),
  )
}
