import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoOperatorStore } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import {
  dynamoReplayCounter,
  dynamoReplayList,
  dynamoReplayRuns,
  dynamoReplays,
} from '../../lib/adapters/dynamodb/replays.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import type { Replay, ReplayList, ReplayPosition, Replays } from '../../lib/webhooks/operators/replay.ts'
import type { ReplayRuns } from '../../lib/webhooks/operators/replay-job.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { fixedClock, START } from '../support/fakes/clock.ts'
import { MemoryReplays } from '../support/fakes/replay-store.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { fakeAnd, startedStore } from './stores.ts'

interface Stores {
  readonly replays: Replays
  readonly list: ReplayList
  readonly runs: ReplayRuns
}

const STORES = fakeAnd<Stores>(
  () => new MemoryReplays(),
  (documents) => ({
    replays: dynamoReplays(documents, TABLES.replays),
    list: dynamoReplayList(documents, TABLES.replays),
    runs: dynamoReplayRuns(documents, TABLES.replays),
  }),
)

const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

function newReplay(changes: Partial<Replay> = {}): Replay {
  return {
    replayId: randomUUID(),
    filter: { source: 'payment', type: 'PAYMENT', from: START, to: later(60), q: 'order', dead: true },
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
    position: undefined,
    isListed: false,
    ...changes,
  }
}

const CURSOR = { position: { id: 2n ** 63n - 1n, source: 'payment', eventId: 'é' }, isListed: false }
const COUNTS = { matched: 3, done: 2, failed: 1 }

describe.each(STORES)('%s as a store of replays', (_, open) => {
  const stores = open()

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

  it('lists each replay once for any page size, the last accepted first', async () => {
    const made = []
    for (let number = 0; number < 7; number++)
      made.push(await create({ acceptedAt: later(100_000 + Math.floor(number / 2)) }))
    for (const limit of [1, 3, 200]) {
      const found: Replay[] = []
      let after: ReplayPosition | undefined
      do {
        const { replays, next } = await stores.list.list(after, limit)
        found.push(...replays)
        after = next
      } while (after)
      const times = found.map(({ acceptedAt }) => acceptedAt.getTime())
      expect(times).toEqual(times.toSorted((one, other) => other - one))
      expect(new Set(found.slice(0, 7).map(({ replayId }) => replayId))).toEqual(
        new Set(made.map(({ replayId }) => replayId)),
      )
      expect(new Set(found.map(({ replayId }) => replayId)).size).toBe(found.length)
      expect(made).toContainEqual(found[0])
    }
  })

  it('stores a replay once: the second of an id returns the first', async () => {
    const first = await create()
    expect(await create({ replayId: first.replayId, reason: 'another' })).toEqual(first)
  })

  it('moves step by step: only the first of those who know the last step notes its cursor', async () => {
    const replay = await create()
    expect(await stores.runs.note(replay, CURSOR, later(60))).toBe(true)
    expect(await stores.replays.find(replay.replayId)).toEqual({ ...replay, ...CURSOR, step: 1 })
    expect(await stores.runs.note(replay, { ...CURSOR, isListed: true }, later(60))).toBe(false)
    expect(await stores.runs.finish(replay, COUNTS)).toBe(false)
    expect(await stores.runs.note({ ...replay, step: 2 }, CURSOR, later(60))).toBe(false)
    expect(await stores.runs.note({ ...replay, step: 1 }, { isListed: true }, later(60))).toBe(true)
    const end = { ...replay, ...CURSOR, isListed: true, step: 2 }
    expect(await stores.replays.find(replay.replayId)).toEqual(end)
  })

  it('an unknown replay neither moves nor ends', async () => {
    expect(await stores.runs.note(newReplay(), CURSOR, later(60))).toBe(false)
    expect(await stores.runs.finish(newReplay(), COUNTS)).toBe(false)
  })

  it('returns the replays that wait for a worker, by the time of their next check', async () => {
    const replay = await create()
    expect(await isWaiting(replay, START)).toBe(true)
    await stores.runs.note(replay, CURSOR, later(60))
    expect(await isWaiting(replay, later(59))).toBe(false)
    expect(await stores.runs.waiting(later(60))).toContainEqual({ replayId: replay.replayId, step: 1 })
  })

  it('ends a replay permanently', async () => {
    const replay = await create()
    expect(await stores.runs.finish(replay, COUNTS)).toBe(true)
    expect(await stores.replays.find(replay.replayId)).toMatchObject({ state: 'DONE', ...COUNTS })
    expect(await isWaiting(replay, later(99_999))).toBe(false)
    expect(await stores.runs.note({ ...replay, step: 1 }, CURSOR, later(1))).toBe(false)
    expect(await stores.runs.finish({ ...replay, step: 1 }, COUNTS)).toBe(false)
  })
})

describe(`${ENGINE} as a counter of what replays ordered`, () => {
  const store = startedStore()

  const order = (replayId: string) => ({ at: START, user: 'admin', replayId })
  const counted = (replayId: string, destination?: string) =>
    dynamoReplayCounter(store.documents, TABLES).count({ replayId, destination })

  it('counts events by what they are now, and only those that it ordered', async () => {
    const replayId = randomUUID()
    const events = dynamoEventStore(store.documents, { events: TABLES.events, effects: [] })
    const operators = dynamoOperatorStore(store.documents, TABLES.events)
    const states = [
      ['done', { status: 'PROCESSED', attempts: 1, nextRetryAt: undefined }],
      ['failed', { status: 'FAILED', attempts: 1 }],
      ['failed', { status: 'FAILED', attempts: 0, nextRetryAt: undefined, dead: true }],
      ['waiting', { status: 'RETRY', attempts: 1 }],
    ] as const
    for (const [, changes] of states) {
      const event = failedEvent({ ...changes, eventId: randomUUID(), id: clockIds(fixedClock()).ordered(), replayId })
      await events.insert(event, {})
    }
    for (const replay of [replayId, 'another']) {
      const event = failedEvent({
        eventId: randomUUID(),
        id: clockIds(fixedClock()).ordered(),
        attempts: 3,
        dead: true,
      })
      await events.insert(event, {})
      await operators.reset(event, order(replay))
    }
    await events.insert(failedEvent({ eventId: randomUUID(), id: clockIds(fixedClock()).ordered() }), {})
    expect(await counted(replayId)).toEqual({ done: 1, failed: 2, waiting: 2 })
    expect(await counted(randomUUID())).toEqual({ done: 0, failed: 0, waiting: 0 })
  })

  it('counts deliveries by their state', async () => {
    const replayId = randomUUID()
    const desk = dynamoDeliveryDesk(store.documents, TABLES.deliveries)
    const deliveries = dynamoDeliveryStore(store.documents, TABLES.deliveries)
    const times = { receivedAt: START, endsAt: later(9_999_999_999) }
    async function ordered() {
      const key = { source: 'payment', eventId: randomUUID(), destination: 'crm' }
      const fresh = { ...key, ...times, id: 7n, eventType: 'T', status: 'PENDING', attempts: 0, history: [] } as const
      const { delivery = { ...fresh } } = await desk.create(fresh, order(replayId))
      return { delivery, claim: { ...key, n: 0, owner: randomUUID(), now: START, leaseUntil: later(40) } }
    }
    const [delivered, dead] = [await ordered(), await ordered(), await ordered()]
    for (const { claim } of [delivered, dead]) await deliveries.claim(claim)
    await deliveries.deliver(delivered.claim, delivered.delivery, { answer: 'HTTP 204', at: START })
    await deliveries.fail(dead.claim, dead.delivery, { at: START, answer: 'HTTP 500', dueAt: undefined })
    expect(await counted(replayId, 'crm')).toEqual({ done: 1, failed: 1, waiting: 1 })
  })
})
