import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoCountedEvents } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { firstIdAt } from '../../lib/runtime/ids.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { CountedEvents } from '../../lib/webhooks/operators/counts.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { memoryCountedEvents } from '../support/fakes/counted-events.ts'
import { failedEvent, MINUTE } from '../support/fakes/webhooks.ts'
import { fakeAnd } from './stores.ts'

interface Store {
  readonly counted: CountedEvents
  add(event: WebhookEvent): Promise<unknown>
}

const STORES = fakeAnd<Store>(
  () => {
    const events: WebhookEvent[] = []
    return { counted: memoryCountedEvents(() => events), add: async (event) => events.push(event) }
  },
  async (documents) => {
    const store = dynamoEventStore(documents, TABLES)
    const other = { source: 'github#body', eventId: 'x', status: 'FAILED' }
    await documents.send(new PutCommand({ TableName: TABLES.events, Item: other }))
    return { counted: dynamoCountedEvents(documents, TABLES.events), add: (event) => store.insert(event, {}) }
  },
)

const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

function event(minute: number, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return failedEvent({
    id: firstIdAt(at(minute).getTime()) + BigInt(Math.floor(Math.random() * 1000)),
    eventId: randomUUID(),
    receivedAt: at(minute),
    payloadSha256: randomUUID().replaceAll('-', '').repeat(2),
    ...changes,
  })
}

describe.each(STORES)('%s reads events to count them', (_, open) => {
  const store = open()
  const failed = event(1, { source: 'a', eventType: 'x' })
  const processed = event(2, {
    source: 'b',
    eventType: 'y',
    status: 'PROCESSED',
    processedAt: at(2),
    nextRetryAt: undefined,
  })
  const retried = event(3, { source: 'a', eventType: 'y', status: 'RETRY' })
  // One body: they stand under one key of the index.
  const same = Array.from({ length: 40 }, () => event(4, { source: 'same', payloadSha256: 'ab'.repeat(32) }))

  beforeAll(async () => {
    for (const each of [failed, processed, retried, ...same]) await store.add(each)
  })

  type Filter = Parameters<CountedEvents['look']>[0]

  it.each<[string, Filter, readonly WebhookEvent[]]>([
    ['all', {}, [failed, processed, retried, ...same]],
    ['of a status', { status: ['PROCESSED'] }, [processed]],
    ['of several', { status: ['RETRY', 'FAILED'], source: ['a'] }, [failed, retried]],
    ['of sources', { source: ['a', 'b'] }, [failed, processed, retried]],
    ['of a type', { type: ['y', 'z'] }, [processed, retried]],
    ['of a time, its ends included', { from: at(2), to: at(3) }, [processed, retried]],
    ['before all ids', { to: new Date('1960-01-01T00:00:00Z') }, []],
  ])('%s', async (_what, filter, expected) => {
    const { found, isComplete } = await store.counted.look(filter, 50)
    const seen = (events: readonly Pick<WebhookEvent, 'source' | 'status' | 'receivedAt'>[]) =>
      events.map(({ source, status, receivedAt }) => `${source} ${status} ${receivedAt.toISOString()}`).sort()
    expect(seen(found)).toEqual(seen(expected))
    expect(isComplete).toBe(true)
  })

  it.each([1, 42])('no more than %d, and reports that others were left out', async (most) => {
    const { found, isComplete } = await store.counted.look({}, most)
    expect(found).toHaveLength(most)
    expect(isComplete).toBe(false)
  })

  it('including those that do not match', async () => {
    const { found, isComplete } = await store.counted.look({ source: ['a'] }, 20)
    expect(found.length).toBeLessThanOrEqual(2)
    expect(isComplete).toBe(false)
  })

  it('all under one key of the index, when there are few under the others', async () => {
    const { found, isComplete } = await store.counted.look({ source: ['same'] }, 44)
    expect([found.length, isComplete]).toEqual([40, true])
  })
})
