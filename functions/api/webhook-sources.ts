import { makeSourceList } from '../../lib/app/operators.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { listSources } from '../../lib/webhooks/operators/sources.ts'

const app = await makeSourceList()

export const handler = endpoint('webhookSources', app, async ({ principal }) => {
  const sources = await listSources(app.sources(), app.clock.now(), principal.key?.sources)
  return ok({ sources })
})
