import { makeSessionOnly } from '../../lib/app/checks.ts'
import { describeSteps } from '../../lib/auth/principal.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = makeSessionOnly()

export const handler = endpoint('oauth2Steps', app, ({ principal }) => ok(describeSteps(principal)))
