import * as z from 'zod'
import { makeChallenges } from '../../lib/app/intake.ts'
import { teamSources } from '../../lib/app/sources.ts'
import type { About } from '../../lib/contract/about.ts'
import { textContent } from '../../lib/contract/answers/shapes.ts'
import { WEBHOOK_SECRETS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { challenged } from '../../lib/http/provider-call.ts'
import { plainText } from '../../lib/http/webhook-call.ts'

export const route = {
  method: 'GET',
  path: '/webhooks/{provider}',
  isChallenge: true,
  access: 'signature',
  errors: 'text',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Webhooks',
  summary: 'Answer a provider’s endpoint-verification challenge',
  reads: {
    challenge: {
      challenge: 'The value that Dropbox expects in the answer.',
      'hub.challenge': 'The value that Meta expects in the answer.',
      'hub.mode': 'From meta: `subscribe`.',
      'hub.verify_token': 'From meta: the token that the owner of the address chose.',
    },
  },
  answers: {
    200: { description: 'The challenge.', example: '1158201444', content: textContent(z.string()) },
  },
  grants: [WEBHOOK_SECRETS],
})

export async function start() {
  const sources = teamSources()
  const app = await makeChallenges(sources)
  return endpoint(route, app, challenged(route, app.intake, sources), ({ input }) => plainText(input))
}
