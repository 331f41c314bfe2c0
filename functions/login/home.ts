import { makePages } from '../../lib/app/pages.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { homePage } from '../../lib/http/pages/home.ts'
import { page } from '../../lib/http/pages/page.ts'

const app = makePages()

export const handler = endpoint('home', app, ({ event }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    return page(app.site, view, homePage(view, app.site, event.queryStringParameters?.['endpoint']))
  }),
)
