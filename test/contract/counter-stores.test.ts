import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoCounterStore } from '../../lib/adapters/dynamodb/counter-store.ts'
import { anyAccount } from '../../lib/auth/accounts.ts'
import { type CounterStore, createLoginFailures } from '../../lib/auth/login-failures.ts'
import { createSignIn } from '../../lib/auth/sign-in.ts'
import { ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { DATABASE_ACCOUNT } from '../support/fakes/accounts.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { MemoryCounters } from '../support/fakes/counters.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { recordingLogins } from '../support/fakes/trail.ts'

interface Stores {
  readonly counters: CounterStore
  stop(): Promise<void>
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => ({ counters: new MemoryCounters(), stop: async () => {} })],
  [ENGINE, () => emulated(ENGINE)],
]

async function emulated(engine: Parameters<typeof emulatedStore>[0]): Promise<Stores> {
  const { documents, stop } = await emulatedStore(engine)
  return { counters: dynamoCounterStore(documents, TABLES.counters), stop }
}

/** Far enough away that no table clears a counter away during a test. */
/** DynamoDB Local removes what has expired, by its own clock. */
const LATER = new Date('2100-01-01T00:00:00.000Z')

describe.each(IMPLEMENTATIONS)('%s as a counter store', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  it('counts from 0', async () => {
    expect(await stores.counters.read([randomUUID()])).toEqual([0])
  })

  it('counts up by one, to the maximum and no further', async () => {
    const name = randomUUID()
    for (const count of [1, 2, 3]) {
      expect(await stores.counters.take(name, 3, LATER)).toEqual({ kind: 'added', count })
      expect(await stores.counters.read([name])).toEqual([count])
    }
    for (const maximum of [3, 2]) {
      expect(await stores.counters.take(name, maximum, LATER)).toEqual({ kind: 'full', count: 3 })
    }
    expect(await stores.counters.take(name, 4, LATER)).toEqual({ kind: 'added', count: 4 })
  })

  it('reads counts in the order of the names', async () => {
    const [one, two, none] = [randomUUID(), randomUUID(), randomUUID()]
    await stores.counters.take(one, 9, LATER)
    await stores.counters.take(two, 9, LATER)
    await stores.counters.take(two, 9, LATER)
    expect(await stores.counters.read([none, two, one])).toEqual([0, 2, 1])
    expect(await stores.counters.read([one, none, two])).toEqual([1, 0, 2])
  })

  it('counts each of several parallel calls, and none beyond the maximum', async () => {
    const name = randomUUID()
    const taken = await Promise.all(Array.from({ length: 50 }, () => stores.counters.take(name, 30, LATER)))
    const counts = taken.filter(({ kind }) => kind === 'added').map(({ count }) => count)
    expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(await stores.counters.read([name])).toEqual([30])
  })

  it('counts down by one, and never below 0', async () => {
    const name = randomUUID()
    await stores.counters.take(name, 9, LATER)
    await stores.counters.take(name, 9, LATER)
    for (const left of [1, 0, 0]) {
      await stores.counters.giveBack(name)
      expect(await stores.counters.read([name])).toEqual([left])
    }
    expect(await stores.counters.take(name, 9, LATER)).toEqual({ kind: 'added', count: 1 })
    await stores.counters.giveBack(randomUUID())
  })

  it('counts from any number that is set', async () => {
    const name = randomUUID()
    for (const count of [1_767_323_045_000, 7]) {
      await stores.counters.set(name, count, LATER)
      expect(await stores.counters.read([name])).toEqual([count])
    }
  })

  it('counts from 0 after a removal at the present count', async () => {
    const [name, other] = [randomUUID(), randomUUID()]
    await stores.counters.take(name, 9, LATER)
    await stores.counters.take(name, 9, LATER)
    await stores.counters.take(other, 9, LATER)
    expect(await stores.counters.remove(name, 1)).toBe(false)
    expect(await stores.counters.read([name])).toEqual([2])
    expect(await stores.counters.remove(name, 2)).toBe(true)
    expect(await stores.counters.remove(name, 2)).toBe(false)
    expect(await stores.counters.read([name, other])).toEqual([0, 1])
    expect(await stores.counters.take(name, 9, LATER)).toEqual({ kind: 'added', count: 1 })
  })

  it('B09 counts no more than ten of sixty parallel guesses, including the right one', async () => {
    for (const right of [0, 59]) {
      const { statuses, checked } = await guessAtOnce(stores.counters, { guesses: 60, right })
      expect(checked.length, `guess ${right} is right`).toBe(10)
      expect(statuses.filter((status) => status === 'TOO_MANY_REQUESTS')).toHaveLength(50)
      expect(statuses[right]).toBe(checked.includes(right) ? 'in' : 'TOO_MANY_REQUESTS')
    }
  })
})

/** Guesses from as many instances, whose checks all last until each guess is either refused or being checked. */
async function guessAtOnce(counters: CounterStore, { guesses, right }: { guesses: number; right: number }) {
  const checked: number[] = []
  const allJudged = Promise.withResolvers<void>()
  let judged = 0
  const judge = () => {
    judged += 1
    if (judged === guesses) allJudged.resolve()
  }
  const limits = { perUser: 10, perAddress: 100, perName: 100, windowSeconds: 300 }
  const username = randomUUID()
  const guess = async (number: number): Promise<string> => {
    const signIn = createSignIn({
      accounts: {
        async check() {
          checked.push(number)
          judge()
          await allJudged.promise
          return number === right ? DATABASE_ACCOUNT : 'refused'
        },
      },
      failures: createLoginFailures(counters, limits, fixedClock(LATER)),
      log: recordingLog(),
      logins: recordingLogins(),
      metrics: recordingMetrics(),
    })
    const credentials = { username, password: `guess ${number}`, address: '192.0.2.1', method: 'token' } as const
    try {
      await signIn(credentials, 'Login', anyAccount)
      return 'in'
    } catch (error) {
      if (!checked.includes(number)) judge()
      return (error as { code: string }).code
    }
  }
  const statuses = await Promise.all(Array.from({ length: guesses }, (_, number) => guess(number)))
  return { statuses, checked }
}
