import { makePages } from '../../lib/app/pages.ts'
import type { About } from '../../lib/contract/about.ts'
import { htmlContent } from '../../lib/contract/answers/shapes.ts'
import { OWN_HOST } from '../../lib/contract/examples.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { page } from '../../lib/http/pages/page.ts'
import { scriptPage } from '../../lib/http/pages/script-page.ts'

export const route = { method: 'GET', path: '/console/{page}', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Pages',
  summary: 'Show a page of the console',
  answers: {
    200: { description: 'A page that its script fills.', headers: ['policy'], content: htmlContent },
    302: OWN_HOST,
  },
  grants: SESSION,
})

export function start() {
  const app = makePages()
  return endpoint(route, app, ({ event, parameters }) =>
    onOwnHost(event, app, async () => {
      const view = await app.viewOf(event)
      return page(app.site, view, scriptPage(parameters['page'], view, app.site))
    }),
  )
}
