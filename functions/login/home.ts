import { makePages } from '../../lib/app/pages.ts'
import type { About } from '../../lib/contract/about.ts'
import { htmlContent } from '../../lib/contract/answers/shapes.ts'
import { OWN_HOST } from '../../lib/contract/examples.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { homePage } from '../../lib/http/pages/home.ts'
import { page } from '../../lib/http/pages/page.ts'

export const route = { method: 'GET', path: '/', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Pages',
  summary: 'Show the home page',
  parameters: { endpoint: 'Explains why the endpoint of that name would let the caller in.' },
  answers: {
    200: {
      description: 'A page with the logged-in user and a logout button.',
      headers: ['policy'],
      content: htmlContent,
    },
    302: OWN_HOST,
  },
  grants: SESSION,
})

export function start() {
  const app = makePages()
  return endpoint(route, app, ({ event }) =>
    onOwnHost(event, app, async () => {
      const view = await app.viewOf(event)
      return page(app.site, view, homePage(view, app.site, event.queryStringParameters?.['endpoint']))
    }),
  )
}
