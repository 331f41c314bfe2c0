import { makeChallenges } from '../../lib/app/intake.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { challenged } from '../../lib/http/provider-call.ts'
import { plainText } from '../../lib/http/webhook-call.ts'

const sources = teamSources()
const app = await makeChallenges(sources)

export const handler = endpoint('webhookChallenge', app, challenged(app.intake, sources), ({ input }) =>
  plainText(input),
)
