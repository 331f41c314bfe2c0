import { orders, payments } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { plainText } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { challenged } from '../../lib/http/provider-call.ts'
import { secretsReadable } from '../../lib/webhooks/readable-secrets.ts'

const app = await makeWebhooks([payments(), orders()], [secretsReadable])

export const handler = endpoint('webhookChallenge', app, challenged(app.intake), ({ input }) => plainText(input))
