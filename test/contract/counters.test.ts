import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { dynamoCounter } from '../../lib/adapters/dynamodb/counter.ts'
import { anyAccount } from '../../lib/auth/accounts.ts'
import { createLoginFailures } from '../../lib/auth/login-failures.ts'
import { createSignIn } from '../../lib/auth/sign-in.ts'
import type { Counter, Demand, Tally } from '../../lib/runtime/tally.ts'
import { createRateLimiter } from '../../lib/webhooks/rate/limiter.ts'
import { TABLES } from '../support/emulated-store.ts'
import { DATABASE_ACCOUNT } from '../support/fakes/accounts.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { MemoryCounter } from '../support/fakes/counter.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { recordingLogins } from '../support/fakes/trail.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly counter: Counter
}

const STORES = fakeAnd<Stores>(
  () => ({ counter: new MemoryCounter() }),
  (documents) => ({ counter: dynamoCounter(documents, TABLES.counters, 20_000) }),
)

/** The beginning of a window, far enough away that no table clears a row away during a test: DynamoDB Local does. */
const LATER = new Date('2100-01-01T00:00:00.000Z')

const DEMAND: Demand = { window: 7, before: 3, count: 5, spare: 4, maximumTaken: 5, maximumSpare: 4 }
const FIRST: Tally = { window: 7, before: 3, taken: 5, spare: 4 }

describe.each(STORES)('%s as a counter', (_, open) => {
  const stores = open()

  /** A tally of its own, from which the first numbers have been taken. */
  async function begun(): Promise<string> {
    const name = randomUUID()
    expect(await stores.counter.take(name, DEMAND, LATER)).toEqual({ kind: 'written', tally: FIRST })
    return name
  }

  it('issues numbers from 1 on', begun)

  it('issues consecutive numbers within the bounds', async () => {
    const name = await begun()
    const tally = { window: 7, before: 3, taken: 10, spare: 5 }
    expect(await stores.counter.take(name, { ...DEMAND, spare: 1 }, LATER)).toEqual({ kind: 'written', tally })
  })

  it.each<[string, Partial<Demand>]>([
    ['more than the maximum', { maximumTaken: 4 }],
    ['more than the maximum of unused ones', { maximumSpare: 3 }],
    ['of an earlier window', { window: 6 }],
    ['of a later window', { window: 8 }],
    ['with another count before', { before: 2 }],
  ])('never issues numbers %s', async (_, changes) => {
    const name = await begun()
    const refused = { kind: 'refused', tally: FIRST }
    expect(await stores.counter.take(name, { ...DEMAND, ...changes }, LATER)).toEqual(refused)
    expect(await stores.counter.take(name, { ...DEMAND, maximumTaken: 0 }, LATER)).toEqual(refused)
  })

  it('issues different numbers to parallel callers', async () => {
    const name = randomUUID()
    const demand = { ...DEMAND, count: 1, spare: 0, maximumTaken: 29, maximumSpare: 0 }
    const answers = await Promise.all(Array.from({ length: 40 }, () => stores.counter.take(name, demand, LATER)))
    const taken = answers.flatMap(({ kind, tally }) => (kind === 'written' ? [tally.taken] : []))
    expect(taken.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  })

  it('issues numbers of another window, to the first caller in it', async () => {
    const name = await begun()
    const next: Tally = { window: 8, before: 2, taken: 1, spare: 0 }
    const turns = await Promise.all([1, 2, 3].map(() => stores.counter.rollOver(name, FIRST, next, LATER)))
    expect(turns.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'written'])
    expect(new Set(turns.map(({ tally }) => JSON.stringify(tally && Object.entries(tally).sort())))).toHaveLength(1)
  })

  it.each<[string, Partial<Tally>]>([
    ['window', { window: 6 }],
    ['count before', { before: 2 }],
    ['numbers', { taken: 4 }],
    ['spare ones', { spare: 3 }],
  ])('does not start another window from a tally with another %s', async (_, changes) => {
    const name = await begun()
    const turned = await stores.counter.rollOver(name, { ...FIRST, ...changes }, { ...FIRST, window: 8 }, LATER)
    expect(turned).toEqual({ kind: 'refused', tally: FIRST })
  })

  it('does not start another window without a tally', async () => {
    const turned = await stores.counter.rollOver(randomUUID(), FIRST, { ...FIRST, window: 8 }, LATER)
    expect(turned).toEqual({ kind: 'refused', tally: undefined })
  })

  it('reads tallies in the order of the names, and none for a name without one', async () => {
    const [one, two, none] = [await begun(), await begun(), randomUUID()]
    const { tally } = await stores.counter.take(two, { ...DEMAND, maximumSpare: 9 }, LATER)
    expect(tally).toMatchObject({ taken: 10 })
    expect(await stores.counter.read([none, two, one])).toEqual([undefined, tally, FIRST])
    expect(await stores.counter.read([one, none, two])).toEqual([FIRST, undefined, tally])
  })

  it('takes back numbers one by one, and never below 0', async () => {
    const name = await begun()
    for (const taken of [4, 3, 2, 1, 0, 0]) {
      await stores.counter.giveBack(name, 7)
      expect(await stores.counter.read([name])).toEqual([{ ...FIRST, taken }])
    }
    const { tally } = await stores.counter.take(name, { ...DEMAND, count: 1, spare: 0 }, LATER)
    expect(tally).toEqual({ ...FIRST, taken: 1 })
  })

  it('takes back numbers after their window, from those of the window before, and never below 0', async () => {
    const name = await begun()
    const next: Tally = { window: 8, before: 2, taken: 1, spare: 1 }
    await stores.counter.rollOver(name, FIRST, next, LATER)
    for (const before of [1, 0, 0]) {
      await stores.counter.giveBack(name, 7)
      expect(await stores.counter.read([name])).toEqual([{ ...next, before }])
    }
  })

  it('takes back nothing of another window, or without a tally', async () => {
    const [name, none] = [await begun(), randomUUID()]
    for (const window of [5, 8, 9]) await stores.counter.giveBack(name, window)
    await stores.counter.giveBack(none, 7)
    expect(await stores.counter.read([name, none])).toEqual([FIRST, undefined])
  })

  it('takes back as many numbers as parallel callers give back', async () => {
    const name = randomUUID()
    await stores.counter.set(name, { ...FIRST, taken: 30 }, LATER)
    await Promise.all(Array.from({ length: 20 }, () => stores.counter.giveBack(name, 7)))
    expect(await stores.counter.read([name])).toEqual([{ ...FIRST, taken: 10 }])
  })

  it.each<[string, Partial<Tally>]>([
    ['window', { window: 6 }],
    ['count before', { before: 2 }],
    ['numbers', { taken: 4 }],
    ['spare ones', { spare: 3 }],
  ])('does not remove a tally that was seen with another %s', async (_, changes) => {
    const name = await begun()
    await stores.counter.remove(name, { ...FIRST, ...changes })
    expect(await stores.counter.read([name])).toEqual([FIRST])
  })

  it('issues numbers from 1 on after a removal of the tally that was seen', async () => {
    const [name, other] = [await begun(), await begun()]
    await stores.counter.remove(name, FIRST)
    await stores.counter.remove(name, FIRST)
    expect(await stores.counter.read([name, other])).toEqual([undefined, FIRST])
    expect(await stores.counter.take(name, DEMAND, LATER)).toEqual({ kind: 'written', tally: FIRST })
  })

  it('lets several instances accept as many calls as one', async () => {
    const clock = fixedClock(LATER)
    const failures: unknown[] = []
    const limiters = [1, 2, 3].map(() =>
      createRateLimiter({
        counter: stores.counter,
        perMinute: 20,
        clock,
        onFailure: (cause) => failures.push(cause),
      }),
    )
    const endpoint = randomUUID()
    const through = async () => {
      const calls = Array.from({ length: 60 }, (_, call) => limiters[call % 3]?.wait(endpoint, '192.0.2.1'))
      return (await Promise.all(calls)).filter((wait) => wait === 0).length
    }
    // A tenth of the limit may be in numbers that an instance took ahead and has no call for.
    const full = await through()
    expect(failures).toEqual([])
    expect(full).toBeGreaterThanOrEqual(18)
    expect(full).toBeLessThanOrEqual(20)
    clock.advance(90_000)
    const half = await through()
    expect(half).toBeGreaterThanOrEqual(8)
    expect(half).toBeLessThanOrEqual(12)
    expect(failures).toEqual([])
  })

  it('B09 counts no more than ten of sixty parallel guesses, including the right one', async () => {
    for (const right of [0, 59]) {
      const { statuses, checked } = await guessAtOnce(stores.counter, 60, right)
      expect(checked.length, `guess ${right} is right`).toBe(10)
      expect(statuses.filter((status) => status === 'TOO_MANY_REQUESTS')).toHaveLength(50)
      expect(statuses[right]).toBe(checked.includes(right) ? 'in' : 'TOO_MANY_REQUESTS')
    }
  })
})

/** Guesses from as many instances, whose checks all last until each guess is either refused or being checked. */
async function guessAtOnce(counter: Counter, guesses: number, right: number) {
  const username = randomUUID()
  const checked: number[] = []
  const allJudged = Promise.withResolvers<void>()
  let judged = 0
  const judge = () => {
    judged += 1
    if (judged === guesses) allJudged.resolve()
  }
  const limits = { perUser: 10, perAddress: 100, perName: 100, windowSeconds: 300 }
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
      failures: createLoginFailures(counter, limits, fixedClock(LATER)),
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

it('a table that does not answer is UNAVAILABLE after the time limit of a caller', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const counter = dynamoCounter(DynamoDBDocumentClient.from(client), TABLES.counters, 50)
  await expect(counter.take('a', DEMAND, LATER)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  client.destroy()
  server.close()
})
