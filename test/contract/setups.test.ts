import { randomUUID } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  dynamoLastCalls,
  dynamoRefusalList,
  dynamoSetupOpener,
  dynamoSetups,
} from '../../lib/adapters/dynamodb/refusals.ts'
import type { SetupOpener, SetupStore } from '../../lib/webhooks/setup.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemorySetups } from '../support/fakes/setups.ts'
import { startedStore } from './stores.ts'

const NOON = new Date('2100-01-10T12:00:00.000Z')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const UNTIL = later(60)
const handed = (token: string, minutes = 0) => ({ token, at: later(minutes), from: `192.0.2.${minutes}` })

const store = startedStore()

const STORES: Readonly<Record<string, () => SetupStore & SetupOpener>> = {
  DynamoDB: () => ({
    ...dynamoSetups(store.documents, TABLES.refusals),
    ...dynamoSetupOpener(store.documents, TABLES.refusals),
  }),
  memory: () => new MemorySetups(),
}

describe.each(Object.entries(STORES))('a set-up in %s', (_, make) => {
  async function opened() {
    const [setups, source] = [make(), randomUUID()]
    await setups.open(source, UNTIL)
    return { setups, source }
  }

  it('is none before it is opened, and takes nothing', async () => {
    const [setups, source] = [make(), randomUUID()]
    expect(await setups.read(source)).toBeUndefined()
    expect(await setups.keep(source, handed('a'))).toBe(false)
    expect(await setups.read(source)).toBeUndefined()
  })

  it('keeps the first token, and that it came again changes nothing', async () => {
    const { setups, source } = await opened()
    expect(await setups.read(source)).toEqual({ state: 'open', until: UNTIL })
    expect([await setups.keep(source, handed('a', 1)), await setups.keep(source, handed('a', 2))]).toEqual([true, true])
    expect(await setups.read(source)).toEqual({ state: 'received', until: UNTIL, ...handed('a', 1) })
  })

  it('keeps one of many that come at once', async () => {
    const { setups, source } = await opened()
    const tokens = Array.from({ length: 10 }, (_, index) => `token-${index}`)
    const kept = await Promise.all(tokens.map((token) => setups.keep(source, handed(token))))
    expect(kept.filter(Boolean)).toHaveLength(1)
    expect(await setups.read(source)).toMatchObject({ token: tokens[kept.indexOf(true)] })
  })

  it('keeps no second one, and nothing of the first once it is ended', async () => {
    const { setups, source } = await opened()
    await setups.keep(source, handed('a'))
    expect(await setups.keep(source, handed('b'))).toBe(false)
    await setups.end(source, later(1))
    expect(await setups.read(source)).toEqual({ state: 'conflict', until: UNTIL })
    expect(await setups.keep(source, handed('a'))).toBe(false)
    await setups.open(source, UNTIL)
    expect(await setups.keep(source, handed('c'))).toBe(true)
  })

  it('takes nothing and is not ended after its hour, or before a token came', async () => {
    const { setups, source } = await opened()
    await setups.end(source, later(1))
    expect(await setups.read(source)).toMatchObject({ state: 'open' })
    expect(await setups.keep(source, handed('a', 60))).toBe(false)
    await setups.keep(source, handed('a', 59))
    await setups.end(source, UNTIL)
    expect(await setups.read(source)).toMatchObject({ state: 'received' })
  })
})

it('a set-up is deleted after its hour, and is no refusal and no source', async () => {
  const source = randomUUID()
  await dynamoSetupOpener(store.documents, TABLES.refusals).open(source, UNTIL)
  const get = new GetCommand({ TableName: TABLES.refusals, Key: { day: 'setups', cause: source } })
  expect((await store.documents.send(get)).Item?.['ttl']).toBe(UNTIL.getTime() / 1000)
  const list = dynamoRefusalList(store.documents, TABLES.refusals)
  expect(await list.between(later(-1440), later(1440), source)).toEqual([])
  const calls = await dynamoLastCalls(store.documents, TABLES.refusals).all()
  expect(calls.map((row) => row.source)).not.toContain(source)
})
