import { makeLogout } from '../../lib/app/login.ts'
import { endSession } from '../../lib/auth/session.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { redirect } from '../../lib/http/message.ts'

const app = await makeLogout()

export const handler = endpoint('logout', app, async ({ event }) => {
  const isEverywhere = event.queryStringParameters?.['everywhere'] === 'true'
  await endSession(app.sessions, cookiesOf(event).get(SESSION_COOKIE), isEverywhere)
  return redirect('/login?logout', app.endedCookies)
})
