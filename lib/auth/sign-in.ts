import { fail } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import { boundedName, boundedPassword } from '../runtime/text.ts'
import type { Accounts, LoggedInAccount } from './accounts.ts'
import { type AttemptParts, countedAttempts, type LoginTrail } from './login-attempts.ts'
import type { Standing } from './login-failures.ts'
import { randomText } from './passkeys/passkey.ts'

/** A name and a password, and the address that they come from. */
export interface Guess {
  readonly username: string
  readonly password: string
  readonly address: string
}

export interface PasswordCredentials extends Guess {
  /** HTTP Basic comes with every call; the other logins record what they start. */
  readonly method: 'basic' | 'form' | 'token'
}

/** How the refusal names the attempt (http-24). */
export type LoginLabel = 'Basic Authentication' | 'Login'

export interface SignInParts extends AttemptParts {
  readonly accounts: Accounts
  readonly logins: Pick<LoginTrail, 'accepted' | 'refused' | 'throttled'>
  readonly log: Log
}

/** The result of a login with an account; undefined if the account may not log in here. */
type Accept<T> = (account: LoggedInAccount) => T | undefined

/**
 * Accepts a user who knows the password. An unknown name, a wrong password, a disabled user and an account that is good
 * for nothing take the same time and get the same answer. After too many failures even the right password has to wait.
 * @throws ServiceError `BAD_CREDENTIALS`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export type SignIn = <T>(credentials: PasswordCredentials, attempt: LoginLabel, accept: Accept<T>) => Promise<T>

export function createSignIn(parts: SignInParts): SignIn {
  const { accounts, logins, log } = parts
  const check = createCountedCheck<PasswordCredentials>(parts, {
    async passed(account, { method, address }) {
      await noteLogin(account)
      if (method === 'basic') await logins.accepted(account, address)
    },
    refused: ({ username, address }) => logins.refused(username, address),
  })

  async function noteLogin(account: LoggedInAccount): Promise<void> {
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
    // Not for a refusal: the given name may be a password that was typed into the wrong field.
    if (!isRecalled) log.info('signed in', { attempt, username, authType })
    return accepted
  }
}

interface Known<T> {
  readonly account: LoggedInAccount
  readonly accepted: T
  /** Whether the password was in the cache, so that no attempt was counted. */
  readonly isRecalled: boolean
}

/**
 * Undefined is a refusal, and counts.
 * @throws ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export type CountedCheck<G extends Guess = Guess> = <T>(guess: G, accept: Accept<T>) => Promise<Known<T> | undefined>

/** Called for each password that was checked. Neither function rejects. */
interface Outcomes<G> {
  passed(account: LoggedInAccount, guess: G): Promise<void>
  refused(guess: G): Promise<void>
}

export function createCountedCheck<G extends Guess>(
  { accounts, ...parts }: AttemptParts & Pick<SignInParts, 'accounts'>,
  outcomes?: Outcomes<G>,
): CountedCheck<G> {
  const { failures } = parts
  const attempts = countedAttempts(parts)
  /** By their credentials; undefined is a refusal. */
  const checksUnderWay = new Map<string, Promise<LoggedInAccount | undefined>>()

  function check(guess: G, standing: Standing, accept: Accept<unknown>): Promise<LoggedInAccount | undefined> {
    const verdicts = {
      passed: async (account: LoggedInAccount) => outcomes?.passed(account, guess),
      refused: async () => outcomes?.refused(guess),
    }
    return attempts.make(standing, () => verified(guess, standing.at, accept), verdicts)
  }

  async function verified({ username, password }: G, since: Date, accept: Accept<unknown>) {
    const outcome = await accounts.check(username, password)
    if (typeof outcome !== 'object') return undefined
    // A failure counts as an attempt: otherwise attackers could guess passwords of one store during an outage of the
    // other.
    if ('failure' in outcome) return outcome
    const account = { ...outcome, since }
    return accept(account) === undefined ? undefined : account
  }

  /** Calls with the same credentials that arrive during a check share its result, if it is a success. */
  async function checkShared(...call: Parameters<typeof check>): Promise<LoggedInAccount | undefined> {
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

  return async (given, accept) => {
    const guess = measured(given)
    const { username, password, address } = guess
    const standing = await attempts.standingOf(username, address)
    const found = await accounts.recall?.(username, password)
    const recalled = found && { ...found, since: standing.at }
    const remembered = recalled && accept(recalled)
    if (recalled !== undefined && remembered !== undefined) {
      await failures.remember(standing)
      return { account: recalled, accepted: remembered, isRecalled: true }
    }
    const account = await checkShared(guess, standing, accept)
    const accepted = account && accept(account)
    return account === undefined || accepted === undefined ? undefined : { account, accepted, isRecalled: false }
  }
}

/** A name or a password beyond its bound is a wrong one, and costs what a wrong one costs (auth-88). */
function measured<G extends Guess>(guess: G): G {
  const username = boundedName(guess.username) ?? ''
  return { ...guess, username, password: boundedPassword(guess.password) ?? randomText() }
}
