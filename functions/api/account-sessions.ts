import { makeAccountSessions } from '../../lib/app/account.ts'
import { listSessions } from '../../lib/auth/session.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'

const app = await makeAccountSessions()

export const handler = endpoint('accountSessions', app, async ({ event, principal }) =>
  ok(await listSessions(app, principal.uid ?? '', sessionKeyOf(event, principal))),
)
