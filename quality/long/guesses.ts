import type { FailureLimits } from '../../lib/auth/login-counts.ts'
import type { Guess } from '../../lib/auth/sign-in.ts'

/** What a process of `guesser.ts` is to do, all at once. */
export interface Guesses {
  readonly tables: { readonly users: string; readonly counters: string }
  readonly limits: FailureLimits
  readonly guesses: readonly Guess[]
}

/** What it tells of it. */
export interface Told {
  readonly hashes: number
  /** `in`, or the code of the refusal, in the order of the guesses. */
  readonly answers: readonly string[]
}
