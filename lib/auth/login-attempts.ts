import { fail } from '../errors.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { LoginFailures, Standing } from './login-failures.ts'

/** No verdict of the attempt, but it counts. */
export interface Undecided {
  /** Why there is none. */
  readonly failure: unknown
}

/** Called for each attempt with a verdict. Neither function rejects. */
export interface Verdicts<A> {
  passed?(found: A): Promise<void>
  refused?(): Promise<void>
}

/** Attempts to log in, counted before they begin. All methods throw ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE`. */
export interface CountedAttempts {
  standingOf(username: string, address: string): Promise<Standing>
  /**
   * What an attempt found; undefined for a refusal.
   * @param attempt counts unless it succeeds or rejects
   */
  make<A extends object>(
    standing: Standing,
    attempt: () => Promise<A | Undecided | undefined>,
    verdicts: Verdicts<A>,
  ): Promise<A | undefined>
}

export interface AttemptParts {
  readonly failures: LoginFailures
  readonly metrics: Metrics
  readonly logins: Pick<LoginTrail, 'throttled'>
}

export function countedAttempts({ failures, metrics, logins }: AttemptParts): CountedAttempts {
  async function refuse(address: string, retryAfterSeconds: number): Promise<never> {
    metrics.count('LoginThrottled')
    await logins.throttled(address)
    throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }

  return {
    async standingOf(username, address) {
      const standing = await failures.standingOf(username, address)
      return standing.retryAfterSeconds === undefined ? standing : refuse(address, standing.retryAfterSeconds)
    },

    async make(standing, attempt, { passed, refused }) {
      const begun = await failures.begin(standing)
      if (begun.kind === 'refused') return refuse(standing.address, begun.retryAfterSeconds)
      const outcome = await attempt().catch(async (error) => {
        // The attempt stays counted where it cannot be given back.
        await Promise.allSettled([failures.giveBack(begun)])
        throw error
      })
      if (outcome && 'failure' in outcome) throw outcome.failure
      if (outcome) {
        await Promise.all([failures.forgive(begun), passed?.(outcome)])
        return outcome
      }
      metrics.count('LoginFailed')
      await refused?.()
      return undefined
    },
  }
}

/** Who logged in, or ended all logins. */
export interface LoggedIn {
  readonly uid: string
  readonly username: string
  readonly authType: string
}

/** Records logins. */
export interface LoginTrail {
  /** A login that stores nothing. It never rejects: the login does not depend on it, and a row that is missing is logged. */
  accepted(who: LoggedIn, address: string): Promise<void>
  /**
   * Begins what a login stores, or ends all logins of an account, together with the row that says so.
   * @throws the error of the change
   */
  recorded<T>(
    action: 'login.accepted' | 'logins.ended',
    who: LoggedIn,
    address: string,
    change: () => Promise<T>,
  ): Promise<T>
  /** It never rejects. @param name as it was typed, of which only a keyed hash is recorded: it may be a password */
  refused(name: string, address: string): Promise<void>
  /** Guesses from an address were refused unheard; the first of a window is recorded. It never rejects. */
  throttled(address: string): Promise<void>
}
