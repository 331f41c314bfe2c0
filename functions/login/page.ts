import { makePages } from '../../lib/app/pages.ts'
import { onOwnHost, ownCookies, takeLoginName } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { loginPage } from '../../lib/http/pages/login.ts'
import { page } from '../../lib/http/pages/page.ts'

const app = makePages()

export const handler = endpoint('loginPage', app, ({ event }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    const { name, cookies } = takeLoginName(ownCookies(app.baseUrl), event)
    const content = loginPage(view, app.site, event.queryStringParameters ?? {}, name)
    return page(app.site, view, content, [view.csrfCookie, ...cookies])
  }),
)
