import { makeUserSessions } from '../../lib/app/account.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { knownAccount } from '../../lib/users/list.ts'

const app = await makeUserSessions()

export const handler = endpoint('userSessionsDelete', app, async ({ parameters }) => {
  await app.sessions.endAll(await knownAccount(app.users, parameters['userId'] ?? ''))
  return noContent()
})
