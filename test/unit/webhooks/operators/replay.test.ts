import { describe, expect, it } from 'vitest'
import {
  findReplay,
  matchingUntil,
  type ReplayCommand,
  startReplay,
} from '../../../../lib/webhooks/operators/replay.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { memoryEventList } from '../../../support/fakes/event-list.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryReplays } from '../../../support/fakes/replay-store.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const ORDER: ReplayCommand = {
  replayId: 'r-1',
  filter: { source: 'test' },
  reason: 'again',
  ratePerSecond: 10,
  dryRun: false,
  user: 'admin',
  orderedBy: 'id-1',
}

const SUMMARY = { replayId: 'r-1', state: 'RUNNING', matched: 2, done: 0, failed: 0 }

function setUp() {
  const events = [1, 2].map((id) => failedEvent({ id: BigInt(id), eventId: `event-${id}` }))
  const memory = new MemoryReplays()
  const { replays, replayQueue } = memory
  const log = recordingLog()
  const clock = fixedClock()
  const isDestination = (name: string) => name === 'crm'
  const counter = { count: async () => ({ done: 0, failed: 0, waiting: 0 }) }
  const parts = {
    replays,
    replayQueue,
    counter,
    listOf: () => memoryEventList(() => events),
    isDestination,
    clock,
    log,
  }
  return { memory, events, log, parts }
}

describe('a replay', () => {
  it('is counted, stored and started', async () => {
    const { memory, parts } = setUp()
    expect(await startReplay(parts, ORDER)).toEqual({ kind: 'accepted', ...SUMMARY })
    expect(memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 0 }, delayMs: 0 }])
    expect(await findReplay(parts, 'r-1')).toEqual(SUMMARY)
  })

  it('that is a dry run is only counted', async () => {
    const { memory, parts } = setUp()
    expect(await startReplay(parts, { ...ORDER, dryRun: true })).toEqual({ kind: 'counted', matched: 2 })
    expect([memory.queue, memory.rows.size]).toEqual([[], 0])
  })

  it('counts only FAILED events that were received until now', async () => {
    const { events, parts } = setUp()
    events.push(failedEvent({ eventId: 'processed', status: 'PROCESSED' }))
    events.push(failedEvent({ eventId: 'later', receivedAt: new Date(START.getTime() + 1) }))
    events.push(failedEvent({ eventId: 'elsewhere', source: 'other' }))
    expect(await startReplay(parts, ORDER)).toMatchObject({ matched: 2 })
  })

  it('of a known id changes nothing, and is started again if it is idle', async () => {
    const { memory, events, parts } = setUp()
    await startReplay(parts, ORDER)
    events.push(failedEvent({ eventId: 'event-3' }))
    const another = { ...ORDER, user: 'another', orderedBy: 'id-2' }
    expect(await startReplay(parts, another)).toEqual({ kind: 'accepted', ...SUMMARY })
    expect(memory.rows.get('r-1')?.replay).toMatchObject({ user: 'admin', orderedBy: 'id-1', matched: 2 })
    expect(memory.queue).toHaveLength(2)
  })

  it('that is done is not started again', async () => {
    const { memory, parts } = setUp()
    await startReplay(parts, ORDER)
    const row = memory.rows.get('r-1')
    if (row) memory.rows.set('r-1', { ...row, replay: { ...row.replay, state: 'DONE', done: 2 } })
    expect(await startReplay(parts, ORDER)).toMatchObject({ state: 'DONE', done: 2 })
    expect(memory.queue).toHaveLength(1)
  })

  it.each<[string, Partial<ReplayCommand>]>([
    ['filter', { filter: { source: 'other' } }],
    ['time', { filter: { source: 'test', from: START } }],
    ['rate', { ratePerSecond: 11 }],
    ['destination', { destination: 'crm' }],
  ])('of a known id is a conflict with another %s', async (_, changes) => {
    const { parts } = setUp()
    await startReplay(parts, ORDER)
    await expect(startReplay(parts, { ...ORDER, ...changes })).rejects.toMatchObject({
      code: 'REPLAY_EXISTS',
      status: 409,
    })
  })

  it('is accepted when the queue is down: the scan finds it', async () => {
    const { memory, log, parts } = setUp()
    memory.isQueueDown = true
    expect(await startReplay(parts, ORDER)).toMatchObject(SUMMARY)
    const cause = expect.objectContaining({ code: 'UNAVAILABLE' })
    expect(log.of('hint not sent, the scan will find the row')).toEqual([{ replayId: 'r-1', cause }])
    expect(await memory.runs.waiting(START)).toEqual([{ replayId: 'r-1', step: 0 }])
  })

  it('to a destination counts events of any status', async () => {
    const { events, parts } = setUp()
    events.push(failedEvent({ eventId: 'processed', status: 'PROCESSED' }))
    expect(await startReplay(parts, { ...ORDER, destination: 'crm' })).toMatchObject({ matched: 3 })
  })

  it('to an unknown destination is not found, not even as a dry run', async () => {
    const { memory, parts } = setUp()
    const started = startReplay(parts, { ...ORDER, destination: 'erp', dryRun: true })
    await expect(started).rejects.toMatchObject({ code: 'DESTINATION_NOT_FOUND', status: 404 })
    expect(memory.rows.size).toBe(0)
  })
})

it('a replay that is unknown is not found', async () => {
  await expect(findReplay(setUp().parts, 'r-2')).rejects.toMatchObject({ code: 'REPLAY_NOT_FOUND', status: 404 })
})

describe('the filter of a replay', () => {
  const before = new Date(START.getTime() - 1)
  const after = new Date(START.getTime() + 1)

  it.each([
    ['nothing', {}, START],
    ['a past time', { to: before }, before],
    ['a future time', { to: after }, START],
  ])('is FAILED, and received no later than its acceptance: the filter contains %s', (_, filter, to) => {
    expect(matchingUntil({ filter }, START)).toEqual({ status: ['FAILED'], to })
  })
})
