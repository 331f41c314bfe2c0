import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoTrailHeads } from '../../lib/adapters/dynamodb/trail-heads.ts'
import { sealHead, sealNewest } from '../../lib/trail/head.ts'
import type { TrailHeads } from '../../lib/trail/trail.ts'
import type { KnownHeads } from '../../lib/trail/verify.ts'
import { readTrailHeads } from '../../localstack/audit/heads.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryTrail } from '../support/fakes/trail.ts'
import { TRAIL_KEY } from '../support/trail.ts'

let emulator: EmulatedStore

beforeAll(async () => {
  emulator = await emulatedStore(ENGINE)
})

afterAll(() => emulator.stop())

interface Stored {
  readonly heads: TrailHeads
  known(): KnownHeads | Promise<KnownHeads>
}

const STORES: Readonly<Record<string, () => Stored>> = {
  memory: () => {
    const stored = new MemoryTrail()
    return { heads: stored, known: () => stored.known() }
  },
  DynamoDB: () => ({
    heads: dynamoTrailHeads(emulator.documents, TABLES.audit),
    known: () => readTrailHeads(emulator.documents, TABLES.audit),
  }),
}

const headAt = (seq: number, chain: string) =>
  sealHead({ chain, seq, mac: `mac-${seq}`, at: START, openedAt: START }, TRAIL_KEY)

describe.each(Object.entries(STORES))('heads in %s', (_, open) => {
  it('are added, moved from their present position, and found with their seal', async () => {
    const { heads, known } = open()
    const [one, other] = [randomUUID(), randomUUID()]
    await heads.add(headAt(0, one))
    await heads.add(headAt(0, other))
    await heads.advance(headAt(2, one), 0)
    await expect(heads.advance(headAt(9, one), 1)).rejects.toThrow('stands elsewhere')
    const { heads: all, find } = await known()
    expect(all).toEqual(expect.arrayContaining([headAt(2, one), headAt(0, other)]))
    expect([await find(one), await find(randomUUID())]).toEqual([headAt(2, one), undefined])
  })

  it('show the newest chain, and the one before it', async () => {
    const { heads, known } = open()
    const newest = () => sealNewest({ chain: randomUUID(), at: START }, TRAIL_KEY)
    const [first, second] = [newest(), newest()]
    await heads.open(first)
    expect(await heads.open(second)).toBe(first.chain)
    const { newest: found, heads: all } = await known()
    expect(found).toEqual(second)
    expect(all.map(({ chain }) => chain)).not.toContain('#newest')
  })
})

it('A10 a head has the right position after a repeated request whose answer was lost', async () => {
  const heads = dynamoTrailHeads(emulator.documents, TABLES.audit)
  const chain = randomUUID()
  for (const _ of [1, 2]) await heads.add(headAt(0, chain))
  for (const _ of [1, 2]) await heads.advance(headAt(1, chain), 0)
  expect(await (await readTrailHeads(emulator.documents, TABLES.audit)).find(chain)).toEqual(headAt(1, chain))
})
