import { fail } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Account, Accounts } from './accounts.ts'
import type { LoginFailures, Standing } from './login-failures.ts'
import type { LoginMethod, LoginTrail } from './login-trail.ts'

/** A name and a password, and the address that they come from. */
export interface Guess {
  readonly username: string
  readonly password: string
  readonly address: string
}

export interface PasswordCredentials extends Guess {
  readonly method: LoginMethod
}

/** How the refusal names the attempt (spec part 7). */
export type LoginLabel = 'Basic Authentication' | 'Login'

export interface SignInParts {
  readonly accounts: Accounts
  readonly failures: LoginFailures
  readonly logins: LoginTrail
  readonly log: Log
  readonly metrics: Metrics
}

/** What an account is good for; undefined when it is good for nothing. */
type Accept<T> = (account: Account) => T | undefined

/**
 * Lets in whoever knows the password. An unknown name, a wrong password, a disabled user and an account that is good for
 * nothing cost the same and get the same answer; who fails too often has to wait, whatever the password.
 * @throws ServiceError `BAD_CREDENTIALS`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export type SignIn = <T>(credentials: PasswordCredentials, attempt: LoginLabel, accept: Accept<T>) => Promise<T>

export function createSignIn(parts: SignInParts): SignIn {
  const { accounts, logins, log } = parts
  const check = createCountedCheck<PasswordCredentials>(parts, {
    async passed(account, { method, address }) {
      await noteLogin(account)
      await logins.accepted(account, method, address)
    },
    refused: ({ username, method, address }) => logins.refused(username, method, address),
  })

  async function noteLogin(account: Account): Promise<void> {
    try {
      await accounts.noteLogin?.(account)
    } catch (cause) {
      log.warn('the time of a login was not kept', { cause })
    }
  }

  return async (credentials, attempt, accept) => {
    const known = await check(credentials, accept)
    if (!known) throw fail('BAD_CREDENTIALS', { authType: attempt, reason: 'Bad credentials' })
    const { account, accepted, isRecalled } = known
    const { username, authType } = account
    // Not for a refusal: what was typed as a name may be a password.
    if (!isRecalled) log.info('signed in', { attempt, username, authType })
    // Basic comes with every call; the others begin a session or get a token each time.
    else if (credentials.method !== 'basic') await logins.accepted(account, credentials.method, credentials.address)
    return accepted
  }
}

interface Known<T> {
  readonly account: Account
  readonly accepted: T
  /** Whether the password was remembered, and cost no attempt. */
  readonly isRecalled: boolean
}

/**
 * Undefined is a refusal, and counts.
 * @throws ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export type CountedCheck<G extends Guess = Guess> = <T>(guess: G, accept: Accept<T>) => Promise<Known<T> | undefined>

/** Called for each password that was looked at. Neither function rejects. */
interface Outcomes<G> {
  passed(account: Account, guess: G): Promise<void>
  refused(guess: G): Promise<void>
}

export function createCountedCheck<G extends Guess>(
  { accounts, failures, metrics }: Pick<SignInParts, 'accounts' | 'failures' | 'metrics'>,
  outcomes?: Outcomes<G>,
): CountedCheck<G> {
  /** By their credentials; undefined is a refusal. */
  const checksUnderWay = new Map<string, Promise<Account | undefined>>()

  function refuse(retryAfterSeconds: number): never {
    metrics.count('LoginThrottled')
    throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }

  /** Each check is counted before it begins. One that ends without a verdict of any store does not count. */
  async function check(guess: G, standing: Standing, accept: Accept<unknown>): Promise<Account | undefined> {
    const { username, password } = guess
    const begun = await failures.begin(standing)
    if (begun.kind === 'refused') return refuse(begun.retryAfterSeconds)
    const outcome = await accounts.check(username, password).catch(async (error) => {
      // The attempt stays counted where it cannot be given back.
      await Promise.allSettled([failures.giveBack(begun)])
      throw error
    })
    // Counted, or an outage of one store would be the time to guess the passwords of the other.
    if (typeof outcome === 'object' && 'failure' in outcome) throw outcome.failure
    if (typeof outcome === 'object' && accept(outcome) !== undefined) {
      await Promise.all([failures.forgive(begun), outcomes?.passed(outcome, guess)])
      return outcome
    }
    metrics.count('LoginFailed')
    await outcomes?.refused(guess)
    return undefined
  }

  /** Calls that come while the same credentials are checked share the answer, if it is a good one. */
  async function checkShared(...call: Parameters<typeof check>): Promise<Account | undefined> {
    const [{ username, password, address }, , accept] = call
    const key = JSON.stringify([username, password, address])
    const other = checksUnderWay.get(key)
    if (other !== undefined) {
      const shared = await other.catch(() => undefined)
      return shared && accept(shared) !== undefined ? shared : check(...call)
    }
    const own = check(...call).finally(() => checksUnderWay.delete(key))
    checksUnderWay.set(key, own)
    return own
  }

  return async (credentials, accept) => {
    const { username, password, address } = credentials
    const standing = await failures.standingOf(username, address)
    if (standing.retryAfterSeconds !== undefined) refuse(standing.retryAfterSeconds)
    const recalled = await accounts.recall?.(username, password)
    const remembered = recalled && accept(recalled)
    if (recalled !== undefined && remembered !== undefined) {
      await failures.remember(standing)
      return { account: recalled, accepted: remembered, isRecalled: true }
    }
    const account = await checkShared(credentials, standing, accept)
    const accepted = account && accept(account)
    return account === undefined || accepted === undefined ? undefined : { account, accepted, isRecalled: false }
  }
}
