import { makeStatus } from '../../lib/app/status.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { statusFor } from '../../lib/http/status.ts'

const app = makeStatus()

export const handler = endpoint('status', app, async ({ event }) => ok(await statusFor(event, app)))
