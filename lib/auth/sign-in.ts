import { fail } from '../errors.ts'
import type { Log } from '../platform/log.ts'
import type { Account, Accounts } from './accounts.ts'
import type { LoginFailures } from './login-failures.ts'

export interface PasswordCredentials {
  readonly username: string
  readonly password: string
  readonly address: string
}

/** How the refusal names the attempt (spec part 7). */
export type Attempt = 'Basic Authentication' | 'Login'

export interface SignInParts {
  readonly accounts: Accounts
  readonly failures: LoginFailures
  readonly log: Log
}

/**
 * Lets in whoever knows the password. An unknown name, a wrong password and a disabled user cost the same and get the
 * same answer; who fails too often has to wait, whatever the password.
 * @throws ServiceError `BAD_CREDENTIALS`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export async function signIn(parts: SignInParts, credentials: PasswordCredentials, attempt: Attempt): Promise<Account> {
  const { accounts, failures, log } = parts
  const { username, password, address } = credentials
  const { retryAfterSeconds, hasFailed } = await failures.standingOf(username, address)
  refuseIfBlocked(retryAfterSeconds)
  const recalled = await accounts.recall?.(username, password)
  if (recalled) return recalled
  const outcome = await accounts.check(username, password)
  if (typeof outcome === 'object') {
    if (hasFailed) await failures.clear(username, address)
    // Not of a refusal: what was typed as a name may be a password.
    log.info('signed in', { attempt, username: outcome.username, authType: outcome.authType })
    return outcome
  }
  refuseIfBlocked(await failures.record(username, address))
  throw fail('BAD_CREDENTIALS', { authType: attempt, reason: 'Bad credentials' })
}

function refuseIfBlocked(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds })
}
