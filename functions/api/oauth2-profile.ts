import { app } from '../../lib/app/session-only.ts'
import { describeProfile } from '../../lib/auth/oauth2/describe-profile.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const handler = endpoint('oauth2Profile', app, ({ principal }) => ok(describeProfile(principal)))
