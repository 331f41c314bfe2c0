import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoCounterStore } from '../../lib/adapters/dynamodb/counter-store.ts'
import type { CounterStore } from '../../lib/auth/login-failures.ts'
import { emulatedStore, runnableEngines, TABLES } from '../support/emulated-store.ts'
import { MemoryCounters } from '../support/fakes/counters.ts'

interface Stores {
  readonly counters: CounterStore
  stop(): Promise<void>
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => ({ counters: new MemoryCounters(), stop: async () => {} })],
  ...runnableEngines().map((engine) => [engine, () => emulated(engine)] as const),
]

async function emulated(engine: Parameters<typeof emulatedStore>[0]): Promise<Stores> {
  const { documents, stop } = await emulatedStore(engine)
  return { counters: dynamoCounterStore(documents, TABLES.counters), stop }
}

/** Far enough away that no table clears a counter away during a test. */
const LATER = new Date('2100-01-01T00:00:00.000Z')

describe.each(IMPLEMENTATIONS)('%s counts', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  it('from 0', async () => {
    expect(await stores.counters.read([randomUUID()])).toEqual([0])
  })

  it('up by one', async () => {
    const name = randomUUID()
    for (const count of [1, 2, 3]) {
      await stores.counters.add(name, LATER)
      expect(await stores.counters.read([name])).toEqual([count])
    }
  })

  it('and reads in the order of the names', async () => {
    const [one, two, none] = [randomUUID(), randomUUID(), randomUUID()]
    await stores.counters.add(one, LATER)
    await stores.counters.add(two, LATER)
    await stores.counters.add(two, LATER)
    expect(await stores.counters.read([none, two, one])).toEqual([0, 2, 1])
    expect(await stores.counters.read([one, none, two])).toEqual([1, 0, 2])
  })

  it('everything that comes at once', async () => {
    const name = randomUUID()
    await Promise.all(Array.from({ length: 50 }, () => stores.counters.add(name, LATER)))
    expect(await stores.counters.read([name])).toEqual([50])
  })

  it('from 0 again after a removal, which may come twice', async () => {
    const [name, other] = [randomUUID(), randomUUID()]
    await stores.counters.add(name, LATER)
    await stores.counters.add(other, LATER)
    await stores.counters.remove(name)
    await stores.counters.remove(name)
    expect(await stores.counters.read([name, other])).toEqual([0, 1])
    await stores.counters.add(name, LATER)
    expect(await stores.counters.read([name])).toEqual([1])
  })
})
