import { describe, expect, it } from 'vitest'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { EventKey, WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { retryNow } from '../../../../lib/webhooks/operators/reset.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { memoryOperatorStore } from '../../../support/fakes/operator-store.ts'
import { failedEvent, MINUTE } from '../../../support/fakes/webhooks.ts'

const KEY = { source: 'test', eventId: 'event-1' }
const ORDER = { user: 'admin', orderedBy: 'id-1', reason: 'again' }

async function setUp(changes: Partial<WebhookEvent> = {}) {
  const store = new MemoryStore()
  const clock = fixedClock()
  const log = recordingLog()
  await store.eventStore.insert(failedEvent(changes), {})
  clock.advance(90 * MINUTE)
  const operators = memoryOperatorStore(store)
  return { store, log, parts: { operators, queue: store.retryQueue, clock, audit: logAudit(log), log } }
}

describe('an operator’s retry', () => {
  it('of a dead event returns it, due now, and sends a hint', async () => {
    const { store, log, parts } = await setUp({ dead: true, attempts: 3, nextRetryAt: undefined })
    expect(await retryNow(parts, KEY, ORDER)).toMatchObject({
      eventId: 'event-1',
      status: 'FAILED',
      attempts: 0,
      dead: false,
      nextRetryAt: new Date(START.getTime() + 90 * MINUTE),
    })
    expect(store.queue).toEqual([{ hint: { ...KEY, n: 1 }, delayMs: 0 }])
    expect(store.find(KEY)?.history.at(-1)).toMatchObject({ by: 'operator', user: 'admin', reason: 'again' })
    expect(store.find(KEY)?.orderedBy).toBe('id-1')
    expect(log.of('audit')).toEqual([{ decision: 'replayed', ...KEY, eventType: 'TEST' }])
  })

  it.each(['RECEIVED', 'PROCESSING', 'PROCESSED', 'RETRY'] as const)('of a %s event is a conflict', async (status) => {
    const { store, parts } = await setUp({ status, nextRetryAt: undefined, processedAt: START })
    await expect(retryNow(parts, KEY, ORDER)).rejects.toMatchObject({ code: 'EVENT_NOT_FAILED', status: 409 })
    expect(store.queue).toEqual([])
  })

  it.each<[string, Partial<EventKey>]>([
    ['that does not exist', { source: 'test', eventId: 'event-2' }],
    ['with an impossible source', { source: 'test#body', eventId: 'event-1' }],
    ['without a name', {}],
  ])('of an event %s is not found', async (_, key) => {
    const { parts } = await setUp()
    await expect(retryNow(parts, key, ORDER)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
  })

  it('is accepted when the queue is down: the scan finds the event', async () => {
    const { store, parts } = await setUp({ dead: true, attempts: 3, nextRetryAt: undefined })
    store.isQueueDown = true
    expect(await retryNow(parts, KEY, ORDER)).toMatchObject({ attempts: 0 })
    expect(store.find(KEY)?.nextRetryAt).toEqual(new Date(START.getTime() + 90 * MINUTE))
  })
})
