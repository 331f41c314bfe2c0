import { makeUserSessions } from '../../lib/app/account.ts'
import { listSessions } from '../../lib/auth/session.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'
import { knownAccount } from '../../lib/users/list.ts'

const app = await makeUserSessions()

export const handler = endpoint('userSessions', app, async ({ event, parameters, principal }) => {
  const uid = await knownAccount(app.users, parameters['userId'] ?? '')
  return ok(await listSessions(app, uid, sessionKeyOf(event, principal)))
})
