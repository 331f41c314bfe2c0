import { app } from '../../lib/app/pages.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { loginPage } from '../../lib/http/login-page.ts'
import { onOwnHost, page } from '../../lib/http/page.ts'

export const handler = endpoint('loginPage', app, ({ event }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    return page('Log in', loginPage(view, event.queryStringParameters ?? {}), [view.csrfCookie])
  }),
)
