import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoReplayList } from '../../lib/adapters/dynamodb/replay-list.ts'
import { dynamoReplayRuns, dynamoReplays } from '../../lib/adapters/dynamodb/replay-store.ts'
import type { Replay, Replays } from '../../lib/webhooks/operators/replay.ts'
import type { ReplayClaim, ReplayRuns } from '../../lib/webhooks/operators/replay-steps.ts'
import type { ReplayList, ReplayPosition } from '../../lib/webhooks/operators/replays.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryReplays } from '../support/fakes/replay-store.ts'

interface Stores {
  readonly replays: Replays
  readonly list: ReplayList
  readonly runs: ReplayRuns
  stop(): Promise<void>
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => fake()],
  [ENGINE, async () => emulated(await emulatedStore(ENGINE))],
]

function fake(): Stores {
  const { replays, list, runs } = new MemoryReplays()
  return { replays, list, runs, stop: async () => {} }
}

function emulated({ documents, stop }: EmulatedStore): Stores {
  return {
    replays: dynamoReplays(documents, TABLES.replays),
    list: dynamoReplayList(documents, TABLES.replays),
    runs: dynamoReplayRuns(documents, TABLES.replays),
    stop,
  }
}

const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

function newReplay(changes: Partial<Replay> = {}): Replay {
  return {
    replayId: randomUUID(),
    filter: {
      source: 'payment',
      type: 'PAYMENT',
      from: START,
      to: later(60),
      q: 'order',
      dead: true,
    },
    reason: 'the shop is open again',
    ratePerSecond: 10,
    user: 'admin',
    orderedBy: 'id-1',
    acceptedAt: START,
    step: 0,
    state: 'RUNNING',
    matched: 7,
    done: 0,
    failed: 0,
    batch: [],
    position: undefined,
    isListed: false,
    ...changes,
  }
}

function claimOf({ replayId, step }: Replay, at: Date, changes: Partial<ReplayClaim> = {}): ReplayClaim {
  const leaseUntil = new Date(at.getTime() + 30_000)
  return { replayId, step, owner: randomUUID(), now: at, leaseUntil, ...changes }
}

const PROGRESS = {
  state: 'RUNNING',
  matched: 7,
  done: 2,
  failed: 1,
  batch: [{ source: 'payment', eventId: 'é' }],
  position: { id: 2n ** 63n - 1n, source: 'payment', eventId: 'a' },
  isListed: false,
} as const

describe.each(IMPLEMENTATIONS)('%s as a store of replays', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  async function create(changes: Partial<Replay> = {}): Promise<Replay> {
    return stores.replays.create(newReplay(changes))
  }

  async function isWaiting({ replayId }: Replay, at: Date): Promise<boolean> {
    return (await stores.runs.waiting(at)).some((hint) => hint.replayId === replayId)
  }

  it.each<[string, Partial<Replay>]>([
    ['every part of the filter', {}],
    ['no filter, no reason and no account', { filter: {}, reason: undefined, orderedBy: undefined }],
  ])('stores a replay as it was accepted, with %s', async (_what, changes) => {
    const replay = await create(changes)
    expect(await stores.replays.find(replay.replayId)).toEqual(replay)
  })

  it('returns undefined for an unknown replay', async () => {
    expect(await stores.replays.find(randomUUID())).toBeUndefined()
  })

  it('lists each replay once for any page size, the last accepted first', async () => {
    const made = []
    for (let number = 0; number < 7; number++)
      made.push(await create({ acceptedAt: later(100_000 + Math.floor(number / 2)) }))
    for (const limit of [1, 2, 3, 200]) {
      const found: Replay[] = []
      let after: ReplayPosition | undefined
      do {
        const { replays, next } = await stores.list.list(after, limit)
        found.push(...replays)
        after = next
      } while (after)
      const times = found.map(({ acceptedAt }) => acceptedAt.getTime())
      expect(times).toEqual(times.toSorted((one, other) => other - one))
      expect(
        found
          .slice(0, 7)
          .map(({ replayId }) => replayId)
          .sort(),
      ).toEqual(made.map(({ replayId }) => replayId).sort())
      expect(new Set(found.map(({ replayId }) => replayId)).size).toBe(found.length)
      expect(made).toContainEqual(found[0])
    }
  })

  it('stores a replay once: the second of an id returns the first', async () => {
    const first = await create()
    expect(await create({ replayId: first.replayId, reason: 'another' })).toEqual(first)
  })

  it('allows one worker at a time', async () => {
    const replay = await create()
    const mine = claimOf(replay, later(1))
    expect(await stores.runs.claim(mine)).toEqual(replay)
    expect(await stores.runs.claim(mine)).toEqual(replay)
    expect(await stores.runs.claim(claimOf(replay, later(30)))).toBeUndefined()
    expect(await stores.runs.claim(claimOf(replay, later(31)))).toEqual(replay)
  })

  it.each([
    ['a past step', -1],
    ['a future step', 1],
  ])('ignores hints for %s', async (_what, difference) => {
    const replay = await create({ step: 3 })
    expect(await stores.runs.claim(claimOf(replay, later(1), { step: 3 + difference }))).toBeUndefined()
  })

  it('an unknown replay can neither be claimed nor saved', async () => {
    const claim = claimOf(newReplay(), later(1))
    expect(await stores.runs.claim(claim)).toBeUndefined()
    expect(await stores.runs.save(claim, PROGRESS)).toBe(false)
  })

  it('saves the progress of the present worker only', async () => {
    const replay = await create()
    const mine = claimOf(replay, later(1))
    await stores.runs.claim(mine)
    expect(await stores.runs.save(mine, PROGRESS)).toBe(true)
    expect(await stores.replays.find(replay.replayId)).toEqual({ ...replay, ...PROGRESS })
    const heir = claimOf(replay, later(40))
    expect(await stores.runs.claim(heir)).toEqual({ ...replay, ...PROGRESS })
    expect(await stores.runs.save(mine, { ...PROGRESS, done: 99 })).toBe(false)
    expect(await stores.runs.pass(mine, later(41))).toBe(false)
    expect(await stores.replays.find(replay.replayId)).toMatchObject({ done: 2, step: 0 })
  })

  it('extends the lease of a worker that continues', async () => {
    const replay = await create()
    const mine = claimOf(replay, later(1))
    await stores.runs.claim(mine)
    await stores.runs.save({ ...mine, leaseUntil: later(100) }, PROGRESS)
    expect(await stores.runs.claim(claimOf(replay, later(99)))).toBeUndefined()
    expect(await stores.runs.claim(claimOf(replay, later(100)))).toBeDefined()
  })

  it('passes a replay from step to step', async () => {
    const replay = await create()
    const mine = claimOf(replay, later(1))
    await stores.runs.claim(mine)
    expect(await stores.runs.pass(mine, later(60))).toBe(true)
    expect(await stores.runs.claim(claimOf(replay, later(2)))).toBeUndefined()
    expect(await stores.runs.save(mine, PROGRESS)).toBe(false)
    expect(await stores.runs.claim(claimOf({ ...replay, step: 1 }, later(2)))).toEqual({ ...replay, step: 1 })
  })

  it('returns the replays that wait for a worker, by the time of their next check', async () => {
    const replay = await create()
    expect(await isWaiting(replay, START)).toBe(true)
    const mine = claimOf(replay, later(1))
    await stores.runs.claim(mine)
    expect(await isWaiting(replay, later(30))).toBe(false)
    expect(await stores.runs.waiting(later(31))).toContainEqual({ replayId: replay.replayId, step: 0 })
    await stores.runs.pass(mine, later(60))
    expect(await isWaiting(replay, later(59))).toBe(false)
    expect(await stores.runs.waiting(later(60))).toContainEqual({ replayId: replay.replayId, step: 1 })
  })

  it('finishes a replay permanently', async () => {
    const replay = await create()
    const mine = claimOf(replay, later(1))
    await stores.runs.claim(mine)
    expect(await stores.runs.save(mine, { ...PROGRESS, state: 'DONE', batch: [] })).toBe(true)
    expect(await stores.replays.find(replay.replayId)).toMatchObject({ state: 'DONE', done: 2, failed: 1 })
    expect(await isWaiting(replay, later(99_999))).toBe(false)
    expect(await stores.runs.claim(claimOf(replay, later(99_999)))).toBeUndefined()
  })
})
