import { makeAccountSessions } from '../../lib/app/account.ts'
import { endOwnSession } from '../../lib/auth/session.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

const app = await makeAccountSessions()

export const handler = endpoint('accountSessionsDelete', app, async ({ parameters, principal }) => {
  await endOwnSession(app.kept, principal.uid ?? '', parameters['sessionId'] ?? '')
  return noContent()
})
