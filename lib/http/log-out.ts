import type { LoginTrail } from '../auth/login-trail.ts'
import { endSession, type Sessions } from '../auth/session.ts'
import { invalid } from '../errors.ts'
import { cookiesOf, SESSION_COOKIE } from './cookies.ts'
import { addressOf, type HttpEvent, noContent, type Reply, redirect, type Trust } from './message.ts'
import { type Checks, check, findCredentials } from './middleware/authenticate.ts'

export interface LogoutParts extends Trust {
  readonly sessions: Sessions
  readonly logins: Pick<LoginTrail, 'recorded'>
  readonly checks: Pick<Checks, 'bearer'>
  readonly endedCookies: readonly string[]
}

const EVERYWHERE = 'must be true: a token ends only together with all sessions and tokens of its account'

/**
 * The end of a session, or of all sessions and tokens of an account. A bearer token takes precedence over a session, as
 * everywhere. No single token can be ended, because tokens are not listed anywhere.
 * @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED`, `VALIDATION_FAILED`, `UNAVAILABLE`
 */
export async function logOut(event: HttpEvent, app: LogoutParts): Promise<Reply> {
  const { sessions, logins, checks, endedCookies } = app
  const address = addressOf(event, app)
  const isEverywhere = event.queryStringParameters?.['everywhere'] === 'true'
  const found = findCredentials(event, checks)
  const holder = found && (await check(found, checks, () => address))
  if (holder === undefined) {
    await endSession(app, { id: cookiesOf(event).get(SESSION_COOKIE), isEverywhere, address })
    return redirect('/login?logout', endedCookies)
  }
  const { uid, username, authType } = holder
  if (!isEverywhere || uid === undefined) throw invalid([{ path: ['everywhere'], message: EVERYWHERE }])
  await logins.recorded('logins.ended', { uid, username, authType }, address, () => sessions.endAll(uid))
  return noContent()
}
