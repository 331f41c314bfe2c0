import { makeExplain } from '../../lib/app/explain.ts'
import { recordedCall } from '../../lib/contract/requests/recorded-call.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { explainRecorded } from '../../lib/webhooks/explain/ask.ts'

const app = await makeExplain()

export const handler = endpoint('webhookExplain', app, json(recordedCall), ({ input }) =>
  ok(explainRecorded(input, app.explaining)),
)
