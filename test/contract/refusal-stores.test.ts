import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { dynamoRefusalList, dynamoRefusalStore } from '../../lib/adapters/dynamodb/refusals.ts'
import type { RefusalList } from '../../lib/webhooks/refusals/list.ts'
import { type CountedRefusals, type RefusalStore, refusalKeyOf } from '../../lib/webhooks/refusals/refusal.ts'
import { TABLES } from '../support/emulated-store.ts'
import { countedRefusals, MemoryRefusals } from '../support/fakes/refusals.ts'
import { fakeAnd, startedStore } from './stores.ts'

interface Stores {
  readonly store: RefusalStore
  readonly list: RefusalList
}

const STORES = fakeAnd<Stores>(
  () => {
    const refusals = new MemoryRefusals()
    return { store: refusals, list: refusals }
  },
  (documents) => ({
    store: dynamoRefusalStore(documents, TABLES.refusals),
    list: dynamoRefusalList(documents, TABLES.refusals),
  }),
)

const { signal } = new AbortController()

/** A day that is to come, so that no table clears its rows away during a test. */
const NOON = new Date('2100-01-10T12:00:00.000Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR)

function refusedAt(time: Date, changes: Partial<CountedRefusals> = {}): CountedRefusals {
  return countedRefusals({ firstAt: time, lastAt: time, ...changes })
}

describe.each(STORES)('%s as a store of refusals', (_, open) => {
  const stores = open()

  const add = (refusals: CountedRefusals) => stores.store.add(refusals, signal)
  const found = (source: string | undefined, oldest = at(-168), newest = at(12)) =>
    stores.list.between(oldest, newest, source)

  it('stores every field of the last one', async () => {
    const source = randomUUID()
    const refusals = refusedAt(NOON, {
      source,
      count: 7,
      address: '2001:db8::1',
      size: 0,
      headers: { 'content-type': '', 'user-agent': 'é😀\u2028', 'x-signature': null },
      verdict: { reason: 'too-old', sentence: 'It was signed 412 s ago; 300 s are allowed.' },
    })
    await add(refusals)
    expect(await found(source)).toEqual([refusals])
  })

  it('adds equal ones in one row: the sum, the first time, and the last call', async () => {
    const source = randomUUID()
    await add(refusedAt(NOON, { source, count: 2 }))
    await add(refusedAt(at(1), { source, count: 40, address: '192.0.2.2', headers: {} }))
    const last = refusedAt(at(5.9), { source, firstAt: at(5), address: '192.0.2.3', size: 9 })
    await add(last)
    expect(await found(source)).toEqual([{ ...last, count: 43, firstAt: NOON }])
  })

  it('counts those of many parallel instances, and loses none', async () => {
    const source = randomUUID()
    await Promise.all(Array.from({ length: 50 }, () => add(refusedAt(NOON, { source, count: 3 }))))
    expect(await found(source)).toMatchObject([{ count: 150 }])
  })

  it.each<[string, Partial<CountedRefusals>]>([
    ['source', { source: randomUUID() }],
    ['reason', { reason: 'no-readable-signature' }],
    ['verdict', { verdict: { reason: 'address', sentence: 'It was sent elsewhere.' } }],
    ['quarter of the day', { lastAt: at(6) }],
    ['day', { lastAt: at(24) }],
  ])('separates them when they differ in the %s', async (_what, other) => {
    const source = randomUUID()
    await add(refusedAt(NOON, { source }))
    await add(refusedAt(NOON, { source, ...other }))
    const sources = [source, other.source].flatMap((one) => one ?? [])
    const rows = await Promise.all([...new Set(sources)].map((one) => found(one, at(-168), at(48))))
    expect(rows.flat().map(({ count }) => count)).toEqual([1, 1])
  })

  it('finds those of a span of days, by the last time', async () => {
    const source = randomUUID()
    const times = [-169, -168, -100, -13, 0, 11.9]
    for (const hours of times) await add(refusedAt(at(hours), { source }))
    const hoursOf = (rows: readonly CountedRefusals[]) =>
      rows.map(({ lastAt }) => (lastAt.getTime() - NOON.getTime()) / HOUR).sort((one, other) => one - other)
    expect(hoursOf(await found(source))).toEqual([-168, -100, -13, 0, 11.9])
    expect(hoursOf(await found(source, at(-13)))).toEqual([-13, 0, 11.9])
    expect(await found(source, at(1), at(0))).toEqual([])
    const all = await found(undefined, at(-13))
    expect(hoursOf(all.filter((row) => row.source === source))).toEqual([-13, 0, 11.9])
  })

  it('finds more than fit into one answer of the store', async () => {
    const source = randomUUID()
    const sentence = 's'.repeat(6000)
    const rows = Array.from({ length: 200 }, (_row, index) =>
      refusedAt(at(-300), { source, verdict: { reason: `word-${index}`, sentence } }),
    )
    await Promise.all(rows.map(add))
    expect(await found(source, at(-301), at(-300))).toHaveLength(200)
  })
})

describe('the table of refusals', () => {
  const store = startedStore()

  it('deletes a row seven days after its last refusal', async () => {
    const refusals = refusedAt(new Date(NOON.getTime() + 1))
    await dynamoRefusalStore(store.documents, TABLES.refusals).add(refusals, signal)
    const get = new GetCommand({ TableName: TABLES.refusals, Key: refusalKeyOf(refusals) })
    const { Item: item } = await store.documents.send(get)
    expect(item?.['ttl']).toBe(NOON.getTime() / 1000 + 7 * 86_400 + 1)
  })

  it('W43 is given up when its caller stops waiting', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
    const client = new DynamoDBClient({ region: 'local', endpoint: `http://127.0.0.1:${port}`, credentials })
    const store = dynamoRefusalStore(DynamoDBDocumentClient.from(client), 'refusals')
    const added = store.add(refusedAt(NOON), AbortSignal.timeout(50))
    await expect(added).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    client.destroy()
    silent.close()
  })
})
