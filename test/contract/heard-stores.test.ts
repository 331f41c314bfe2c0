import { randomUUID } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoHeardList } from '../../lib/adapters/dynamodb/heard-list.ts'
import { dynamoHeardStore } from '../../lib/adapters/dynamodb/heard-store.ts'
import { dynamoRefusalCounts, dynamoRefusalList } from '../../lib/adapters/dynamodb/refusal-list.ts'
import { dynamoRefusalStore } from '../../lib/adapters/dynamodb/refusal-store.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { countedRefusals } from '../support/fakes/refusals.ts'

const { signal } = new AbortController()

/** A day that is to come, so that no table clears its rows away during a test. */
const NOON = new Date('2100-01-10T12:00:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (milliseconds: number) => new Date(NOON.getTime() + milliseconds)

let store: EmulatedStore
beforeAll(async () => {
  store = await emulatedStore(ENGINE)
})
afterAll(() => store.stop())

describe('the sources of received events', () => {
  const note = (source: string, time: Date) =>
    dynamoHeardStore(store.documents, TABLES.refusals).note(source, time, signal)

  async function heardOf(source: string, oldest: Date) {
    const days = await dynamoHeardList(store.documents, TABLES.refusals).since(oldest)
    const own = days.filter((day) => day.source === source)
    return own.map(({ firstAt, lastAt }) => [firstAt, lastAt])
  }

  it('are stored by day, each with its first and its last time', async () => {
    const source = randomUUID()
    for (const time of [at(0), at(HOUR), at(11 * HOUR), at(12 * HOUR)]) await note(source, time)
    expect(await heardOf(source, at(-HOUR))).toEqual([
      [at(0), at(11 * HOUR)],
      [at(12 * HOUR), at(12 * HOUR)],
    ])
  })

  it('are found from the day of a time on', async () => {
    const source = randomUUID()
    for (const days of [-3, -2, -1, 0]) await note(source, at(days * DAY))
    expect(await heardOf(source, at(-2 * DAY + 11 * HOUR))).toHaveLength(3)
    expect(await heardOf(source, at(DAY))).toEqual([])
  })

  it('lose nothing when many instances write at once', async () => {
    const sources = Array.from({ length: 30 }, () => randomUUID())
    await Promise.all(sources.map((source) => note(source, at(-9 * DAY))))
    const days = await dynamoHeardList(store.documents, TABLES.refusals).since(at(-9 * DAY))
    expect(new Set(days.map(({ source }) => source)).isSupersetOf(new Set(sources))).toBe(true)
  })

  it('are read to the last page of the store', async () => {
    const item = { source: 'stripe', firstAt: 1, lastAt: 2 }
    const starts: unknown[] = []
    const send = async ({ input }: { readonly input: { readonly ExclusiveStartKey?: { readonly page: number } } }) => {
      const { page = 0 } = input.ExclusiveStartKey ?? {}
      starts.push(page)
      return { Items: [item], ...(page < 2 && { LastEvaluatedKey: { page: page + 1 } }) }
    }
    const days = await dynamoHeardList({ send } as never, 'refusals').since(at(0))
    expect([days.length, starts]).toEqual([3, [0, 1, 2]])
  })

  it('are deleted 35 days after their last event of a day', async () => {
    const source = randomUUID()
    await note(source, at(0))
    const key = { day: 'heard', cause: `2100-01-10#${source}` }
    const { Item: item } = await store.documents.send(new GetCommand({ TableName: TABLES.refusals, Key: key }))
    expect(item?.['ttl']).toBe(NOON.getTime() / 1000 + 35 * 86_400)
  })

  it('are not among the refusals', async () => {
    const source = randomUUID()
    await note(source, at(0))
    expect(await dynamoRefusalList(store.documents, TABLES.refusals).between(at(-DAY), at(DAY), source)).toEqual([])
  })
})

describe('the refusals of the last hour', () => {
  const refuse = (source: string, lastAt: Date, count: number, firstAt = lastAt) =>
    dynamoRefusalStore(store.documents, TABLES.refusals).add(
      countedRefusals({ source, count, firstAt, lastAt }),
      signal,
    )

  async function spansOf(source: string, now: Date) {
    const counts = dynamoRefusalCounts(store.documents, TABLES.refusals, fixedClock(now))
    const spans = await counts.since(new Date(now.getTime() - HOUR))
    const own = spans.filter((span) => span.source === source).map((span) => [span.at, span.count] as const)
    return own.sort(([one], [other]) => one.getTime() - other.getTime())
  }

  it('are counted by ten minutes, on all rows of a source', async () => {
    const source = randomUUID()
    await refuse(source, at(-45 * MINUTE), 1)
    await refuse(source, at(-41 * MINUTE), 2)
    await refuse(source, at(-40 * MINUTE), 4)
    await refuse(source, at(1), 8)
    expect(await spansOf(source, at(MINUTE))).toEqual([
      [at(-50 * MINUTE), 3],
      [at(-40 * MINUTE), 4],
      [at(0), 8],
    ])
  })

  it('that are added together count at the time of the first one, and none on a future day', async () => {
    const [source, other] = [randomUUID(), randomUUID()]
    await refuse(source, at(0), 100, at(-30 * MINUTE))
    expect(await spansOf(source, at(MINUTE))).toEqual([[at(-30 * MINUTE), 100]])
    await refuse(other, at(12 * HOUR + 15 * MINUTE), 100, at(12 * HOUR - MINUTE))
    expect(await spansOf(other, at(12 * HOUR + 16 * MINUTE))).toEqual([[at(12 * HOUR), 100]])
  })

  it('from before midnight are included', async () => {
    const source = randomUUID()
    await refuse(source, at(12 * HOUR - MINUTE), 3)
    await refuse(source, at(12 * HOUR), 5)
    expect(await spansOf(source, at(12 * HOUR + MINUTE))).toEqual([
      [at(12 * HOUR - 10 * MINUTE), 3],
      [at(12 * HOUR), 5],
    ])
  })

  it('exclude a row whose last refusal is older', async () => {
    const source = randomUUID()
    await refuse(source, at(-61 * MINUTE), 3)
    expect(await spansOf(source, at(0))).toEqual([])
  })
})
