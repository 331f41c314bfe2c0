import { app } from '../../lib/app/pages.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { homePage } from '../../lib/http/home-page.ts'
import { onOwnHost, page } from '../../lib/http/page.ts'

export const handler = endpoint('home', app, ({ event }) =>
  onOwnHost(event, app, async () => page('Gatehouse', homePage(await app.viewOf(event)))),
)
