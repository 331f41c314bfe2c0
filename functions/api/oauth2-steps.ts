import { app } from '../../lib/app/session-only.ts'
import { describeSteps } from '../../lib/auth/oauth2/describe-steps.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const handler = endpoint('oauth2Steps', app, ({ principal }) => ok(describeSteps(principal)))
