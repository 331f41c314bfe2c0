import { makePages } from '../../lib/app/pages.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { onOwnHost } from '../../lib/http/own-host.ts'
import { loginPage } from '../../lib/http/pages/login.ts'
import { page } from '../../lib/http/pages/page.ts'

const app = makePages()

export const handler = endpoint('loginPage', app, ({ event }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    return page(app.site, view, loginPage(view, app.site, event.queryStringParameters ?? {}), [view.csrfCookie])
  }),
)
