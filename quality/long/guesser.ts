import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import type { Guesses, Told } from './guesses.ts'

/** An instance of the service that is asked for many logins at once; it counts what reaches the hash. */
let hashes = 0
const { argon2 } = crypto
crypto.argon2 = (...given: Parameters<typeof argon2>) => {
  hashes += 1
  argon2(...given)
}
syncBuiltinESMExports()

const { documentClient } = await import('../../lib/adapters/dynamodb/client.ts')
const { dynamoCounterStore } = await import('../../lib/adapters/dynamodb/counter-store.ts')
const { dynamoUserStore } = await import('../../lib/adapters/dynamodb/user-store.ts')
const { anyAccount, databaseAccounts } = await import('../../lib/auth/accounts.ts')
const { createLoginFailures } = await import('../../lib/auth/login-failures.ts')
const { createSignIn } = await import('../../lib/auth/sign-in.ts')
const { systemClock } = await import('../../lib/runtime/clock.ts')
const { recordingLog } = await import('../../test/support/fakes/log.ts')
const { recordingMetrics } = await import('../../test/support/fakes/metrics.ts')
const { recordingLogins } = await import('../../test/support/fakes/trail.ts')

process.on('message', async ({ tables, limits, guesses }: Guesses) => {
  const documents = documentClient(20_000)
  const signIn = createSignIn({
    accounts: databaseAccounts(dynamoUserStore(documents, tables.users)),
    failures: createLoginFailures(dynamoCounterStore(documents, tables.counters), limits, systemClock),
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
