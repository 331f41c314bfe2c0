import { makeSourceList } from '../../lib/app/operators.ts'
import { mayRead } from '../../lib/auth/keys/api-key.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { listSources } from '../../lib/webhooks/operators/sources.ts'

const app = await makeSourceList()

export const handler = endpoint('webhookSources', app, async ({ principal }) => {
  const sources = await listSources(app.sources(), app.clock.now())
  return ok({ sources: sources.filter(({ source }) => mayRead(principal, source)) })
})
