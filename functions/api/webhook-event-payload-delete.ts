import { makePayloadDeletion } from '../../lib/app/operators.ts'
import { payloadDeletion } from '../../lib/contract/requests/payload-deletion.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { deletePayload } from '../../lib/webhooks/retention/payloads.ts'

const app = await makePayloadDeletion()

export const handler = endpoint(
  'webhookEventPayloadDelete',
  app,
  query(payloadDeletion),
  async ({ parameters, principal, input }) => {
    await deletePayload(app, parameters, { user: principal.username, isForced: input.force })
    return noContent()
  },
)
