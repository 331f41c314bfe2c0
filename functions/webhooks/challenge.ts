import { app } from '../../lib/app/providers.ts'
import { plainText } from '../../lib/http/acknowledgement.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { challenged } from '../../lib/http/provider-call.ts'

export const handler = endpoint('webhookChallenge', app, challenged(app.intake), ({ input }) => plainText(input))
