import { randomUUID } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { dynamoGoodDocuments, dynamoLastCalls, dynamoRefusalList } from '../../lib/adapters/dynamodb/refusals.ts'
import { TABLES } from '../support/emulated-store.ts'
import { startedStore } from './stores.ts'

const { signal } = new AbortController()

/** A day that is to come, so that no table clears its rows away during a test. */
const NOON = new Date('2100-01-10T12:00:00.000Z')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

const store = startedStore()

const calls = () => dynamoLastCalls(store.documents, TABLES.refusals)
const rowOf = async (name: string) => (await calls().all()).find(({ source }) => source === name)

it('a source has one row with the time of its last accepted and of its last refused call', async () => {
  const source = randomUUID()
  await calls().note(source, 'refused', NOON, signal)
  expect(await rowOf(source)).toEqual({ source, lastAcceptedAt: undefined, lastRefusedAt: NOON })
  await calls().note(source, 'accepted', later(1), signal)
  await calls().note(source, 'accepted', later(2), signal)
  expect(await rowOf(source)).toEqual({ source, lastAcceptedAt: later(2), lastRefusedAt: NOON })
})

it('no row is lost when many processes write at once', async () => {
  const sources = Array.from({ length: 30 }, () => randomUUID())
  await Promise.all(sources.map((source) => calls().note(source, 'accepted', NOON, signal)))
  const found = new Set((await calls().all()).map(({ source }) => source))
  expect(found.isSupersetOf(new Set(sources))).toBe(true)
})

it('the rows are read to the last page of the store', async () => {
  const starts: unknown[] = []
  const send = async ({ input }: { readonly input: { readonly ExclusiveStartKey?: { readonly page: number } } }) => {
    const { page = 0 } = input.ExclusiveStartKey ?? {}
    starts.push(page)
    return { Items: [{ cause: 'stripe' }], ...(page < 2 && { LastEvaluatedKey: { page: page + 1 } }) }
  }
  expect(await dynamoLastCalls({ send } as never, 'refusals').all()).toHaveLength(3)
  expect(starts).toEqual([0, 1, 2])
})

it('a row is deleted 400 days after its last call', async () => {
  const source = randomUUID()
  await calls().note(source, 'accepted', NOON, signal)
  const get = new GetCommand({ TableName: TABLES.refusals, Key: { day: 'sources', cause: source } })
  const { Item: item } = await store.documents.send(get)
  expect(item?.['ttl']).toBe(NOON.getTime() / 1000 + 400 * 86_400)
})

it('a row is not among the refusals', async () => {
  const source = randomUUID()
  await calls().note(source, 'refused', NOON, signal)
  expect(await dynamoRefusalList(store.documents, TABLES.refusals).between(later(-1440), later(1440), source)).toEqual(
    [],
  )
})

it('a row has where the keys of its source were found, for another 400 days, and keeps its times', async () => {
  const source = randomUUID()
  const good = dynamoGoodDocuments(store.documents, TABLES.refusals, () => later(5))
  expect(await good.of(source)).toEqual([])
  await good.keep(source, ['a', 'b'])
  await calls().note(source, 'accepted', NOON, signal)
  await good.keep(source, ['c', 'a'])
  expect(await good.of(source)).toEqual(['c', 'a'])
  expect(await rowOf(source)).toEqual({ source, lastAcceptedAt: NOON, lastRefusedAt: undefined })
})
