import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import { MessageRefused } from '../../../../lib/runtime/message-text.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { scanEvents } from '../../../../lib/webhooks/retry/scan.ts'
import { createRetries } from '../../../../lib/webhooks/retry/worker.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { countingIds } from '../../../support/fakes/ids.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'
import { failedEvent, MINUTE, POLICY, sourceOf } from '../../../support/fakes/webhooks.ts'

const FAR = new Date('2030-01-01')

async function setUp(...events: readonly WebhookEvent[]) {
  const store = new MemoryStore()
  const clock = fixedClock()
  for (const event of events) await store.eventStore.insert(event, {})
  const metrics = recordingMetrics()
  const log = recordingLog()
  const parts = {
    store: store.retryStore,
    due: store.dueEvents,
    queue: store.retryQueue,
    policy: POLICY,
    clock,
    audit: logAudit(log),
    metrics,
    log,
  }
  return { store, clock, metrics, log, parts }
}

describe('the scan', () => {
  it('sends a hint for each due event', async () => {
    const { store, clock, parts } = await setUp(failedEvent(), failedEvent({ eventId: 'event-2', attempts: 2 }))
    clock.advance(5 * MINUTE)
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 2 })
    expect(store.queue).toEqual([
      { hint: { source: 'test', eventId: 'event-1', n: 1 }, delayMs: 0 },
      { hint: { source: 'test', eventId: 'event-2', n: 3 }, delayMs: 0 },
    ])
  })

  it('waits for the arrival of a hint, and returns at the next scan, even if that is slightly early', async () => {
    const { store, clock, parts } = await setUp(failedEvent())
    clock.advance(5 * MINUTE)
    await scanEvents(parts, FAR)
    clock.advance(0.9 * POLICY.scanInterval - 1)
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 0 })
    clock.advance(1)
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 1 })
    expect(store.queue).toHaveLength(2)
  })

  it('stops after the present page when its time is over, and continues at the next scan', async () => {
    const events = Array.from({ length: 250 }, (_, index) => failedEvent({ eventId: `event-${index}` }))
    const { store, clock, parts } = await setUp(...events)
    clock.advance(5 * MINUTE)
    expect(await scanEvents(parts, START)).toMatchObject({ sent: 100 })
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 150 })
    expect(new Set(store.queue.map(({ hint }) => hint.eventId)).size).toBe(250)
  })

  it('continues when another writer changes an event, whose hint was sent', async () => {
    const { store, clock, parts } = await setUp(failedEvent(), failedEvent({ eventId: 'event-2' }))
    clock.advance(5 * MINUTE)
    const { postponeScan } = store.dueEvents
    store.dueEvents.postponeScan = async (hint, until) => {
      if (hint.eventId === 'event-1') throw unavailable(new Error('conflict'))
      await postponeScan(hint, until)
    }
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 2 })
    expect(parts.log.entries).toContainEqual(expect.objectContaining({ level: 'warn' }))
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 1 })
  })

  it('postpones nothing when the queue is down', async () => {
    const { store, clock, parts } = await setUp(failedEvent())
    clock.advance(5 * MINUTE)
    store.isQueueDown = true
    await expect(scanEvents(parts, FAR)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    store.isQueueDown = false
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 1 })
  })

  it('measures the age of the oldest due event, and keeps nextRetryAt', async () => {
    const { store, clock, metrics, parts } = await setUp(
      failedEvent(),
      failedEvent({ eventId: 'event-2', attempts: 1 }),
    )
    clock.advance(5 * MINUTE)
    expect(await scanEvents(parts, FAR)).toEqual({ sent: 2, oldestDueMs: 0 })
    clock.advance(7 * MINUTE)
    expect(await scanEvents(parts, FAR)).toEqual({ sent: 2, oldestDueMs: 7 * MINUTE })
    expect(store.find(failedEvent())?.nextRetryAt).toEqual(failedEvent().nextRetryAt)
    expect(parts.log.of('retry scan').at(-1)).toEqual({ sent: 2, oldestDueMs: 7 * MINUTE })
    expect(await scanEvents(parts, FAR)).toEqual({ sent: 0, oldestDueMs: 0 })
    expect(metrics.measured).toEqual([
      ['OldestDueAge', 0],
      ['OldestDueAge', 7 * MINUTE],
      ['OldestDueAge', 0],
    ])
  })

  it('measures each complete scan, with or without events, and no other', async () => {
    const { store, clock, metrics, parts } = await setUp(failedEvent())
    await scanEvents(parts, FAR)
    clock.advance(5 * MINUTE)
    store.isQueueDown = true
    await expect(scanEvents(parts, FAR)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    store.isQueueDown = false
    await scanEvents(parts, FAR)
    expect(metrics.measured.map(([gauge]) => gauge)).toEqual(['OldestDueAge', 'OldestDueAge'])
  })

  it('finds an event that has not been run yet, at once', async () => {
    const { store, parts } = await setUp(failedEvent({ status: 'RECEIVED', nextRetryAt: undefined }))
    expect(await scanEvents(parts, FAR)).toMatchObject({ sent: 1 })
    expect(store.queue).toEqual([{ hint: { source: 'test', eventId: 'event-1', n: 0 }, delayMs: 0 }])
  })

  it('Q07 sends few hints while no worker answers for six hours, and all of them but one have no effect', async () => {
    const { store, clock, parts } = await setUp(failedEvent())
    for (let minute = 0; minute < 360; minute += 5) {
      clock.advance(5 * MINUTE)
      await scanEvents(parts, FAR)
    }
    expect(store.queue.length).toBeLessThanOrEqual(12)
    const worker = createRetries({
      ...parts,
      store: store.retryStore,
      sourceOf: () => sourceOf(() => ({})),
      ids: countingIds(),
      audit: logAudit(parts.log),
    })
    const outcomes = await Promise.all(store.queue.splice(0).map(({ hint }) => worker.attempt(hint)))
    expect(outcomes.filter((outcome) => outcome === 'processed')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['processed', 'dropped']))
    expect(store.queue).toEqual([])
  })
})

describe('a hint that the queue never takes', () => {
  it.each([
    ['a failed event', failedEvent({ eventId: 'a' })],
    [
      'a received event',
      failedEvent({ eventId: 'a', status: 'RECEIVED', nextRetryAt: undefined, errorMessage: undefined }),
    ],
  ])('ends %s with the reason, is counted, and stops no other', async (_, event) => {
    const { store, clock, parts, metrics, log } = await setUp(event, failedEvent({ eventId: 'b' }))
    const send: typeof store.retryQueue.send = async (hint, delayMs) => {
      if (hint.eventId === 'a') throw new MessageRefused('InvalidMessageContents')
      return store.retryQueue.send(hint, delayMs)
    }
    clock.advance(5 * MINUTE)
    await scanEvents({ ...parts, queue: { send } }, FAR)
    expect(store.queue.map(({ hint }) => hint.eventId)).toEqual(['b'])
    expect(store.find({ source: 'test', eventId: 'a' })).toMatchObject({
      status: 'FAILED',
      dead: true,
      errorMessage: 'the retry queue refused its message: InvalidMessageContents',
    })
    expect(metrics.counted).toEqual([['MessageRefused', {}]])
    expect(log.of('audit')).toMatchObject([{ decision: 'dead', eventId: 'a' }])
    clock.advance(60 * MINUTE)
    await scanEvents({ ...parts, queue: { send } }, FAR)
    expect(metrics.counted.filter(([name]) => name === 'MessageRefused')).toHaveLength(1)
  })
})
