import { readReference } from '../../lib/app/built-files.ts'
import { makePages } from '../../lib/app/pages.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { page } from '../../lib/http/pages/page.ts'
import { docsPage } from '../../lib/http/pages/script-page.ts'
import { compressed } from '../../lib/http/served-file.ts'

const app = makePages()
const reference = readReference()

export const handler = endpoint('docs', app, ({ event }) =>
  onOwnHost(event, app, async () => {
    const view = await app.viewOf(event)
    return compressed(event, page(app.site, view, docsPage(reference, view, app.site)))
  }),
)
