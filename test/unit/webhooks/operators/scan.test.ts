import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import { scan } from '../../../../lib/webhooks/operators/replay-job.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'
import { MemoryReplays } from '../../../support/fakes/replay-store.ts'
import { failedEvent, MINUTE, POLICY } from '../../../support/fakes/webhooks.ts'

const FAR = new Date('2030-01-01')

/** One event that is due, and two replays that nobody works at. */
async function setUp() {
  const store = new MemoryStore()
  const memory = new MemoryReplays()
  const clock = fixedClock()
  await store.eventStore.insert(failedEvent(), {})
  const progress = { state: 'RUNNING', matched: 1, done: 0, failed: 0, isListed: false } as const
  const order = { filter: {}, ratePerSecond: 1, user: 'ada', acceptedAt: clock.now(), step: 0 }
  for (const replayId of ['one', 'two']) await memory.replays.create({ replayId, ...order, ...progress })
  clock.advance(10 * MINUTE)
  const metrics = recordingMetrics()
  const log = recordingLog()
  const [audit, queue] = [logAudit(log), store.retryQueue]
  const events = { store: store.retryStore, due: store.dueEvents, queue, policy: POLICY, clock, audit, metrics, log }
  return { store, memory, metrics, log, events, replays: { runs: memory.runs, queue: memory.replayQueue, clock } }
}

describe('a scan', () => {
  it('sends its hints and publishes its metrics when the replays cannot be read, and names the failed part', async () => {
    const { store, metrics, log, events, replays } = await setUp()
    const cause = unavailable(new Error('throttled'))
    const runs = { ...replays.runs, waiting: () => Promise.reject(cause) }
    await expect(scan(events, { ...replays, runs }, FAR)).rejects.toBe(cause)
    expect(store.queue).toHaveLength(1)
    expect(metrics.measured).toEqual([['OldestDueAge', 300_000]])
    expect(log.of('retry scan failed')).toEqual([{ part: 'replays', cause }])
  })

  it('starts replays when the events cannot be read, but does not count as complete', async () => {
    const { memory, metrics, log, events, replays } = await setUp()
    const cause = unavailable(new Error('throttled'))
    const due = { ...events.due, dueBy: () => refusing(cause) }
    await expect(scan({ ...events, due }, replays, FAR)).rejects.toBe(cause)
    expect(memory.queue).toHaveLength(2)
    expect(metrics.measured).toEqual([])
    expect(log.of('retry scan failed')).toEqual([{ part: 'events', cause }])
  })

  it('has sent all other hints when it reports that one could not be sent', async () => {
    const { memory, events, replays } = await setUp()
    const { send } = memory.replayQueue
    const queue = {
      send: (...given: Parameters<typeof send>) =>
        given[0].replayId === 'one'
          ? Promise.reject(unavailable(new Error('no answer')))
          : slowly(() => send(...given)),
    }
    await expect(scan(events, { ...replays, queue }, FAR)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(memory.queue.map(({ hint }) => hint.replayId)).toEqual(['two'])
  })
})

function refusing(cause: Error): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) }
}

async function slowly<T>(run: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < 10; turn++) await undefined
  return run()
}
