import { anyAccount, databaseAccounts } from '../../lib/auth/accounts.ts'
import { createLoginFailures } from '../../lib/auth/login-failures.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { createSignIn } from '../../lib/auth/sign-in.ts'
import { verifiedCredentials } from '../../lib/auth/verified-credentials.ts'
import { systemClock } from '../../lib/runtime/clock.ts'
import type { User } from '../../lib/users/user.ts'
import { MemoryCounters } from '../../test/support/fakes/counters.ts'
import { recordingLog } from '../../test/support/fakes/log.ts'
import { recordingMetrics } from '../../test/support/fakes/metrics.ts'
import { recordingLogins } from '../../test/support/fakes/trail.ts'
import { MemoryUsers } from '../../test/support/fakes/users.ts'
import { comparison } from './comparison.ts'
import { cpuRounds, type Work } from './cpu-rounds.ts'
import { effort } from './effort.ts'
import { type Findings, judged, type Row, together } from './findings.ts'
import { median } from './median.ts'
import { peer } from './peers.ts'

const ROUNDS = effort(7, 1)

/** Users whose passwords were right within the last minute. */
const SEEN = effort([1, 100, 10_000], [1])

/** So many of them go on calling, in turn. */
const CALLING = 100

/** A second of hashes would say no more. */
const HASHES = effort(4, 1)
const RECALLS = effort(5000, 10)

/** Higher than the number of wrong passwords. */
const LIMITS = { perUser: 10_000, perAddress: 10_000, perName: 10_000, windowSeconds: 300 }

const PASSWORD = 'correct horse battery staple'

/** Makes the check of a password out of the right one. */
interface Encoder {
  checkOf(password: string): Promise<(given: string) => Promise<boolean>>
}

/** A name and a password over HTTP Basic: our hash beside that of Spring Security, and what a remembered password takes. */
export async function basic(): Promise<Findings> {
  const { checkOf: bcryptOf } = await peer<Encoder>('passwords/bcrypt.mjs')
  const verify = await bcryptOf(PASSWORD)
  const bcrypt = (password: string) => ({ calls: HASHES, run: () => verify(password) })
  const passwordHash = await hashPassword(PASSWORD)
  const first = checkOf(passwordHash, { seen: 1, rememberSeconds: 0 })
  const pieces: Record<string, Findings> = {
    'first call': comparison({
      what: 'Basic, first call',
      unit: 'µs of CPU',
      costs: await roundsOf({ calls: HASHES, run: () => first(PASSWORD) }, bcrypt(PASSWORD)),
      atLeast: NO_LESS,
    }),
    'wrong password': comparison({
      what: 'Basic, a wrong password',
      unit: 'µs of CPU',
      costs: await roundsOf({ calls: HASHES, run: () => first('wrong').catch(() => {}) }, bcrypt('wrong')),
      atLeast: NO_LESS,
    }),
    'a remembered password': judged(await remembered(passwordHash)),
  }
  return together(pieces)
}

/** Hash against hash. */
const NO_LESS = { bcrypt: 1 }

/** What a password takes that was right within the last minute. */
async function remembered(passwordHash: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const seen of SEEN) {
    const check = checkOf(passwordHash, { seen, rememberSeconds: 60 })
    const works = new Map([['gatehouse', { calls: RECALLS, run: () => check(PASSWORD) }]])
    const costs = (await cpuRounds(works, ROUNDS)).get('gatehouse') ?? []
    const what = `Basic, a remembered password, ${seen.toLocaleString('en')} users seen`
    rows.push({ what, unit: 'µs of CPU', value: median(costs) })
  }
  return rows
}

function roundsOf(gatehouse: Work, bcrypt: Work) {
  return cpuRounds(new Map(Object.entries({ gatehouse, bcrypt })), ROUNDS)
}

interface Standing {
  readonly seen: number
  readonly rememberSeconds: number
}

/** The whole check of a password as the functions make it, but for the tables, which are in memory. */
function checkOf(passwordHash: string, { seen, rememberSeconds }: Standing) {
  const users = Array.from({ length: seen }, (_, number) => userOf(number, passwordHash))
  const verified = verifiedCredentials(systemClock, rememberSeconds)
  for (const user of users) verified.add(user.username, PASSWORD, user)
  const signIn = createSignIn({
    accounts: databaseAccounts(new MemoryUsers(...users), verified),
    failures: createLoginFailures(new MemoryCounters(), LIMITS, systemClock),
    log: recordingLog(),
    logins: recordingLogins(),
    metrics: recordingMetrics(),
  })
  const calling = users.slice(-CALLING)
  let turn = 0
  return (password: string) => {
    turn = (turn + 1) % calling.length
    const { username = '' } = calling[turn] ?? {}
    return signIn({ username, password, address: '192.0.2.1', method: 'token' }, 'Basic Authentication', anyAccount)
  }
}

function userOf(number: number, passwordHash: string): User {
  const [id, username, createdAt] = [`id-${number}`, `user-${number}`, new Date(0)]
  return { id, username, passwordHash, roles: ['ROLE_USER'], enabled: true, createdAt }
}
