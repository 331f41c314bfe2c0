import { makePages } from '../../lib/app/pages.ts'
import type { About } from '../../lib/contract/about.ts'
import { htmlContent } from '../../lib/contract/answers/shapes.ts'
import { OWN_HOST } from '../../lib/contract/examples.ts'
import { SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { onOwnHost, ownCookies, takeLoginName } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { loginPage } from '../../lib/http/pages/login.ts'
import { page } from '../../lib/http/pages/page.ts'

export const route = { method: 'GET', path: '/login', access: 'public' } as const satisfies Route

export const about = (): About => ({
  tag: 'Pages',
  summary: 'Show the login page',
  parameters: {
    error: 'Shows that a login failed.',
    throttled: 'Shows that there were too many attempts.',
    unavailable: 'Shows that no login can be checked.',
    logout: 'Shows that the caller is logged out.',
    returnTo: 'A path of ours that the login leads to.',
  },
  answers: {
    200: {
      description: 'A page: the form, with a CSRF token, and the identity providers.',
      headers: ['policy', 'cookies'],
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
      const { name, cookies } = takeLoginName(ownCookies(app.baseUrl), event)
      const content = loginPage(view, app.site, event.queryStringParameters ?? {}, name)
      return page(app.site, view, content, [view.csrfCookie, ...cookies])
    }),
  )
}
