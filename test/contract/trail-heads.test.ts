import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoTrailHeads, readTrailHeads } from '../../lib/adapters/dynamodb/trail-heads.ts'
import { sealHead, sealNewest } from '../../lib/trail/head.ts'
import type { TrailHeads } from '../../lib/trail/trail.ts'
import type { KnownHeads } from '../../lib/trail/verify.ts'
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

const headAt = (seq: number, chain = 'chain-1') =>
  sealHead({ chain, seq, mac: `mac-${seq}`, at: START, openedAt: START }, TRAIL_KEY)

describe.each(Object.entries(STORES))('heads in %s', (_, open) => {
  it('are added, moved from where they stand, and found as they were sealed', async () => {
    const { heads, known } = open()
    await heads.add(headAt(0))
    await heads.add(headAt(0, 'chain-2'))
    await heads.advance(headAt(2), 0)
    await expect(heads.advance(headAt(9), 1)).rejects.toThrow('stands elsewhere')
    const { heads: found, find } = await known()
    expect(found.toSorted((one, other) => one.chain.localeCompare(other.chain))).toEqual([
      headAt(2),
      headAt(0, 'chain-2'),
    ])
    expect([await find('chain-1'), await find('chain-3')]).toEqual([headAt(2), undefined])
  })

  it('say which chain is the newest, and which was before it', async () => {
    const { heads, known } = open()
    expect((await known()).newest).toBeUndefined()
    const [first, second] = ['chain-1', 'chain-2'].map((chain) => sealNewest({ chain, at: START }, TRAIL_KEY))
    if (!first || !second) return expect.fail('two chains')
    expect([await heads.open(first), await heads.open(second)]).toEqual([undefined, 'chain-1'])
    expect((await known()).newest).toEqual(second)
  })
})

it('A10 a head whose request was sent again, after its answer was lost, is where it should be', async () => {
  const heads = dynamoTrailHeads(emulator.documents, TABLES.audit)
  await heads.add(headAt(0, 'chain-5'))
  await heads.add(headAt(0, 'chain-5'))
  await heads.advance(headAt(1, 'chain-5'), 0)
  await heads.advance(headAt(1, 'chain-5'), 0)
  expect((await readTrailHeads(emulator.documents, TABLES.audit)).heads).toContainEqual(headAt(1, 'chain-5'))
})
