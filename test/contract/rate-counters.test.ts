import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoRateCounter } from '../../lib/adapters/dynamodb/rate-counter.ts'
import type { PermitDemand, Tally } from '../../lib/webhooks/rate/lease.ts'
import { createRateLimiter, type RateCounter } from '../../lib/webhooks/rate/limiter.ts'
import { ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { MemoryRateCounter } from '../support/fakes/rate-counter.ts'

interface Stores {
  readonly counter: RateCounter
  stop(): Promise<void>
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => ({ counter: new MemoryRateCounter(), stop: async () => {} })],
  [ENGINE, () => emulated(ENGINE)],
]

async function emulated(engine: Parameters<typeof emulatedStore>[0]): Promise<Stores> {
  const { documents, stop } = await emulatedStore(engine)
  return { counter: dynamoRateCounter(documents, TABLES.counters, 20_000), stop }
}

/** Far enough away that no table clears a row away during a test. */
const LATER = new Date('2100-01-01T00:00:00.000Z')

const DEMAND: PermitDemand = { minute: 7, before: 3, count: 5, spare: 4, maximumTaken: 5, maximumSpare: 4 }
const FIRST: Tally = { minute: 7, before: 3, taken: 5, spare: 4 }

describe.each(IMPLEMENTATIONS)('%s as a counter of permits', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  /** A tally of its own, from which the first numbers have been taken. */
  async function begun(): Promise<string> {
    const name = randomUUID()
    expect(await stores.counter.take(name, DEMAND, LATER)).toEqual({ kind: 'written', tally: FIRST })
    return name
  }

  it('issues numbers from 1 on', begun)

  it('issues consecutive numbers within the bounds', async () => {
    const name = await begun()
    const tally = { minute: 7, before: 3, taken: 10, spare: 5 }
    expect(await stores.counter.take(name, { ...DEMAND, spare: 1 }, LATER)).toEqual({ kind: 'written', tally })
  })

  it.each<[string, Partial<PermitDemand>]>([
    ['more than the maximum', { maximumTaken: 4 }],
    ['more than the maximum of unused ones', { maximumSpare: 3 }],
    ['of an earlier minute', { minute: 6 }],
    ['of a later minute', { minute: 8 }],
    ['with another minute before', { before: 2 }],
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

  it('issues numbers of another minute, to the first caller in it', async () => {
    const name = await begun()
    const next: Tally = { minute: 8, before: 2, taken: 1, spare: 0 }
    const turns = await Promise.all([1, 2, 3].map(() => stores.counter.rollOver(name, FIRST, next, LATER)))
    expect(turns.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'written'])
    expect(new Set(turns.map(({ tally }) => JSON.stringify(tally && Object.entries(tally).sort())))).toHaveLength(1)
  })

  it.each<[string, Partial<Tally>]>([
    ['minute', { minute: 6 }],
    ['numbers', { taken: 4 }],
    ['spare ones', { spare: 3 }],
  ])('does not start another minute from a tally with another %s', async (_, changes) => {
    const name = await begun()
    const turned = await stores.counter.rollOver(name, { ...FIRST, ...changes }, { ...FIRST, minute: 8 }, LATER)
    expect(turned).toEqual({ kind: 'refused', tally: FIRST })
  })

  it('does not start another minute without a tally', async () => {
    const turned = await stores.counter.rollOver(randomUUID(), FIRST, { ...FIRST, minute: 8 }, LATER)
    expect(turned).toEqual({ kind: 'refused', tally: undefined })
  })

  it('lets several instances accept as many calls as one', async () => {
    const clock = fixedClock(new Date('2026-01-02T03:04:00.000Z'))
    const failures: unknown[] = []
    const limiters = [1, 2, 3].map(() =>
      createRateLimiter({
        counter: stores.counter,
        limitOf: () => 20,
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
})

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
  const counter = dynamoRateCounter(DynamoDBDocumentClient.from(client), TABLES.counters, 50)
  await expect(counter.take('a', DEMAND, LATER)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  client.destroy()
  server.close()
})
