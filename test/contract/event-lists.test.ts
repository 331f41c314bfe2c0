import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoEventList } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { firstIdAt } from '../../lib/runtime/ids.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { EventFilter, EventList, Position } from '../../lib/webhooks/operators/list.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { memoryEventList } from '../support/fakes/event-list.ts'
import { MINUTE, failedEvent as template } from '../support/fakes/webhooks.ts'
import { fakeAnd } from './stores.ts'

interface Store {
  readonly list: EventList
  add(event: WebhookEvent): Promise<unknown>
  /** Something in the same table that is no event. */
  addOther(): Promise<unknown>
}

const STORES = fakeAnd<Store>(
  () => {
    const events: WebhookEvent[] = []
    return { list: memoryEventList(() => events), add: async (event) => events.push(event), addOther: async () => {} }
  },
  (documents) => {
    const store = dynamoEventStore(documents, TABLES)
    const other = { source: 'github#body', eventId: 'x', status: 'FAILED' }
    return {
      list: dynamoEventList(documents, TABLES.events),
      add: (event) => store.insert(event, {}),
      addOther: () => documents.send(new PutCommand({ TableName: TABLES.events, Item: other })),
    }
  },
)

const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

/** An event of a minute; its body decides where in the index it comes to stand. */
function event(minute: number, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return template({
    id: firstIdAt(at(minute).getTime()) + BigInt(Math.floor(Math.random() * 1000)),
    eventId: randomUUID(),
    receivedAt: at(minute),
    payloadSha256: randomUUID().replaceAll('-', '').repeat(2),
    ...changes,
  })
}

const PROCESSED = {
  status: 'PROCESSED',
  processedAt: START,
  nextRetryAt: undefined,
  errorMessage: undefined,
  outcome: 'superseded',
} as const

describe.each(STORES)('%s lists events by time', (_, open) => {
  const store = open()
  const source = `list-${randomUUID()}`
  const old = event(1, { source, ...PROCESSED, summary: '49.90 EUR · order-1042' })
  const failed = event(2, { source, eventType: 'payment_intent.succeeded', errorMessage: 'The order is another one' })
  const marks = { held: true, typeConflict: true, possibleDuplicateOf: 'a' } as const
  const eventId = `dead-${randomUUID()}`
  const dead = event(3, { source, eventId, dead: true, nextRetryAt: undefined, replayId: 'r', ...marks })
  const elsewhere = event(4)
  const twins = ['a', 'b', 'c', 'd', 'e'].map((eventId) => event(5, { source: 'twins', eventId, id: 77n }))

  beforeAll(async () => {
    await store.addOther()
    for (const each of [dead, elsewhere, old, failed, ...twins]) await store.add(each)
  })

  async function all(filter: EventFilter, limit: number): Promise<string[][]> {
    const pages: string[][] = []
    let next: Position | undefined
    do {
      const page = await store.list.find(filter, next, limit)
      pages.push(page.events.map(({ eventId }) => eventId))
      next = page.next
    } while (next)
    return pages
  }

  it('newest first, with every field of a list', async () => {
    const { events, next } = await store.list.find({ source }, undefined, 10)
    const shown = [dead, failed, old].map(({ payload, payloadSha256, headers, history, ...summary }) => summary)
    expect(events).toEqual(shown)
    expect(next).toBeUndefined()
  })

  it.each<[string, EventFilter, readonly WebhookEvent[]]>([
    ['status', { status: ['FAILED'] }, [dead, failed]],
    ['several statuses', { status: ['RETRY', 'PROCESSED', 'FAILED'] }, [dead, failed, old]],
    ['type', { type: 'payment_intent.succeeded' }, [failed]],
    ['dead', { dead: true }, [dead]],
    ['not dead', { dead: false }, [failed, old]],
    ['held', { held: true }, [dead]],
    ['a part of the summary', { q: 'ORDER-1042' }, [old]],
    ['a part of the event id', { q: 'dead-' }, [dead]],
    ['a part of the error message', { q: 'another one' }, [failed]],
    ['a part of the type', { q: 'intent.succ' }, [failed]],
    ['a part of the source', { q: source.slice(2) }, [dead, failed, old]],
    ['a part in another case', { q: 'aNOTHER One' }, [failed]],
    ['a type in another case', { type: 'PAYMENT_INTENT.SUCCEEDED' }, []],
    ['from, included', { from: at(2) }, [dead, failed]],
    ['to, included', { to: at(2) }, [failed, old]],
    ['between', { from: new Date(at(1).getTime() + 1), to: new Date(at(3).getTime() - 1) }, [failed]],
    [
      'times before and after all possible dates',
      { from: new Date(-8.64e15), to: new Date(8.64e15) },
      [dead, failed, old],
    ],
    ['a span that ends in 1960', { to: new Date('1960-01-01T00:00:00Z') }, []],
    ['several at once', { status: ['FAILED', 'RETRY'], dead: false, q: 'order' }, [failed]],
  ])('filtered by %s', async (_what, filter, expected) => {
    expect((await all({ ...filter, source }, 10)).flat()).toEqual(expected.map(({ eventId }) => eventId))
    expect(await store.list.count({ ...filter, source })).toBe(expected.length)
  })

  it.each<[string, EventFilter, number]>([
    ['these', { source: ['twins', source] }, 8],
    ['these, of one status', { source: ['twins', source], status: 'PROCESSED', dead: false }, 1],
    ['sources without an event', { source: ['nothing', source.slice(1)] }, 0],
    ['as many as a key may have', { source: [...Array.from({ length: 49 }, (_, index) => `s${index}`), source] }, 3],
  ])('of several sources: %s', async (_what, filter, expected) => {
    expect((await all(filter, 10)).flat()).toHaveLength(expected)
    expect(await store.list.count(filter)).toBe(expected)
  })

  it.each([1, 2, 5])('in pages of %d that contain each event once, including those with the same id', async (limit) => {
    const pages = await all({ source: 'twins' }, limit)
    expect(pages.flat()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit)
  })

  it('without rows that are not events', async () => {
    expect(await all({ source: 'github#body' }, 10)).toEqual([[]])
    expect((await all({}, 3)).flat()).toHaveLength(9)
    expect(await store.list.count({})).toBe(9)
  })

  it('from a position, including one without an event', async () => {
    const after = { id: failed.id, source: '', eventId: '' }
    const { events } = await store.list.find({ source }, after, 10)
    expect(events.map(({ eventId }) => eventId)).toEqual([failed.eventId, old.eventId])
    expect(await store.list.find({ source }, { ...after, id: 0n }, 10)).toEqual({ events: [], next: undefined })
  })
})
