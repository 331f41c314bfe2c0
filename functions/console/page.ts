import { makePages } from '../../lib/app/pages.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { page } from '../../lib/http/pages/page.ts'
import { scriptPage } from '../../lib/http/pages/script-page.ts'

const app = makePages()

export const handler = endpoint('consolePage', app, ({ event, parameters }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    return page(app.site, view, scriptPage(parameters['page'], view, app.site))
  }),
)
