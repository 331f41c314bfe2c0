import { argon2 } from 'node:crypto'
import process from 'node:process'
import { promisify } from 'node:util'
import { documentClient } from '../../lib/adapters/dynamodb/client.ts'
import { dynamoCounter } from '../../lib/adapters/dynamodb/counter.ts'
import { dynamoUserStore } from '../../lib/adapters/dynamodb/user-store.ts'
import { anyAccount, databaseAccounts } from '../../lib/auth/accounts.ts'
import type { FailureLimits } from '../../lib/auth/login-counts.ts'
import { createLoginFailures } from '../../lib/auth/login-failures.ts'
import { passwordHashes } from '../../lib/auth/password.ts'
import { createSignIn, type Guess } from '../../lib/auth/sign-in.ts'
import { systemClock } from '../../lib/runtime/clock.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { recordingLogins } from '../support/fakes/trail.ts'

/** What this process is to do, all at once. */
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

/** An instance of the service that is asked for many logins at once; it counts what reaches the hash. */
let hashes = 0
const derive = promisify(argon2)
const counted = passwordHashes((...given) => {
  hashes += 1
  return derive(...given)
})

process.on('message', async ({ tables, limits, guesses }: Guesses) => {
  const documents = documentClient(20_000)
  const signIn = createSignIn({
    accounts: databaseAccounts(dynamoUserStore(documents, tables.users), undefined, counted),
    failures: createLoginFailures(dynamoCounter(documents, tables.counters), limits, systemClock),
    log: recordingLog(),
    logins: recordingLogins(),
    metrics: recordingMetrics(),
  })
  const answers = await Promise.all(
    guesses.map((guess) =>
      signIn({ ...guess, method: 'token' }, 'Login', anyAccount).then(
        () => 'in',
        ({ code }) => String(code),
      ),
    ),
  )
  process.send?.({ hashes, answers } satisfies Told)
})
process.send?.('ready')
