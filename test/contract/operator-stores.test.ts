import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoHeldEvents } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventReader, dynamoOperatorStore } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { newDelivery } from '../../lib/deliver/operators/order.ts'
import type { HeldEvents } from '../../lib/deliver/operators/release.ts'
import type { DeliveryDesk } from '../../lib/deliver/stores.ts'
import type { EventReader } from '../../lib/webhooks/detail.ts'
import { asHeld, type WebhookEvent } from '../../lib/webhooks/event.ts'
import type { OperatorStore } from '../../lib/webhooks/operators/reset.ts'
import type { EventStore } from '../../lib/webhooks/place.ts'
import type { DueEvents } from '../../lib/webhooks/retry/scan.ts'
import type { RetryStore } from '../../lib/webhooks/retry/worker.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { memoryHeldEvents, memoryOperatorStore } from '../support/fakes/operator-store.ts'
import { failedEvent, MINUTE } from '../support/fakes/webhooks.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly events: EventStore
  readonly reader: EventReader
  readonly retries: RetryStore
  readonly due: DueEvents
  readonly operators: OperatorStore
  readonly held: HeldEvents
  readonly desk: DeliveryDesk
}

const STORES = fakeAnd<Stores>(
  () => {
    const store = new MemoryStore()
    const { eventStore: events, eventReader: reader, retryStore: retries, dueEvents: due } = store
    return {
      events,
      reader,
      retries,
      due,
      operators: memoryOperatorStore(store),
      held: memoryHeldEvents(store),
      desk: store.deliveries.desk,
    }
  },
  (documents) => ({
    events: dynamoEventStore(documents, TABLES),
    reader: dynamoEventReader(documents, TABLES.events),
    retries: dynamoRetryStore(documents, TABLES),
    due: dynamoDueEvents(documents, TABLES.events),
    operators: dynamoOperatorStore(documents, TABLES.events),
    held: dynamoHeldEvents(documents, TABLES),
    desk: dynamoDeliveryDesk(documents, TABLES.deliveries),
  }),
)

const NOW = new Date(START.getTime() + 600 * MINUTE)
const ORDER = { at: NOW, user: 'admin', reason: 'the shop is open again' }

describe.each(STORES)('%s resets a FAILED event', (_, open) => {
  const stores = open()

  async function insert(changes: Partial<WebhookEvent> = {}): Promise<WebhookEvent> {
    const event = failedEvent({ eventId: randomUUID(), ...changes })
    expect(await stores.events.insert(event, {})).toEqual({ kind: 'inserted' })
    return event
  }

  const DEAD = { dead: true, nextRetryAt: undefined, attempts: 3 }

  async function isDue({ eventId }: WebhookEvent): Promise<boolean> {
    for await (const page of stores.due.dueBy(NOW)) {
      if (page.some(({ hint }) => hint.eventId === eventId)) return true
    }
    return false
  }

  it('that is dead: no attempt is used, it is due now and can be claimed, and its history shows the user and the reason', async () => {
    const event = await insert(DEAD)
    const { kind, event: reset } = await stores.operators.reset(event, ORDER)
    expect(kind).toBe('reset')
    expect(reset).toMatchObject({ status: 'FAILED', attempts: 0, dead: false, nextRetryAt: NOW, orderedAt: NOW })
    const { at, ...orderer } = ORDER
    expect(reset?.history.at(-1)).toEqual({ at, status: 'FAILED', by: 'operator', error: undefined, ...orderer })
    expect((await stores.reader.find(event))?.history).toHaveLength(2)
    expect(await isDue(event)).toBe(true)
    const leaseUntil = new Date(NOW.getTime() + MINUTE)
    const claim = { ...event, n: 1, owner: 'me', now: NOW, leaseUntil, maxAttempts: 3 }
    expect(await stores.retries.claim(claim)).toMatchObject({ kind: 'claimed', event: { attempts: 1 } })
  })

  it('for an account, which the event names until another user, or a replay, orders it', async () => {
    const event = await insert(DEAD)
    const orderers = []
    for (const order of [{ orderedBy: 'id-1' }, { orderedBy: 'id-2' }, { replayId: 'r-1' }]) {
      const { event: reset } = await stores.operators.reset(event, { ...ORDER, ...order })
      orderers.push([reset?.orderedBy, (await stores.reader.head(event))?.orderedBy])
    }
    expect(orderers).toEqual([
      ['id-1', 'id-1'],
      ['id-2', 'id-2'],
      [undefined, undefined],
    ])
  })

  it.each(['RECEIVED', 'PROCESSING', 'PROCESSED', 'RETRY'] as const)('not when it is %s', async (status) => {
    const event = await insert({
      status,
      nextRetryAt: undefined,
      ...(status === 'PROCESSED' && { processedAt: START }),
    })
    expect(await stores.operators.reset(event, ORDER)).toMatchObject({ kind: 'refused', event: { status } })
    expect(await stores.reader.find(event)).toEqual({ ...event, endsAt: expect.any(Date) })
  })

  it('once for each replay', async () => {
    const event = await insert(DEAD)
    const replay = { ...ORDER, replayId: 'r-1' }
    expect(await stores.operators.reset(event, replay)).toMatchObject({ kind: 'reset', event: { replayId: 'r-1' } })
    expect(await stores.operators.reset(event, replay)).toMatchObject({ kind: 'refused', event: { replayId: 'r-1' } })
    expect(await stores.operators.reset(event, ORDER)).toMatchObject({ kind: 'reset', event: { replayId: 'r-1' } })
    expect(await stores.operators.reset(event, { ...ORDER, replayId: 'r-2' })).toMatchObject({ kind: 'reset' })
  })
})

describe.each(STORES)('S2 %s releases a held event', (_, open) => {
  const stores = open()

  async function insert(changes: Partial<WebhookEvent> = {}): Promise<WebhookEvent> {
    const event = asHeld(failedEvent({ eventId: randomUUID(), possibleDuplicateOf: 'a', ...changes }))
    expect(await stores.events.insert(event, {})).toEqual({ kind: 'inserted' })
    return event
  }

  const claimOf = (event: WebhookEvent) => ({
    ...event,
    n: 0,
    owner: 'me',
    now: NOW,
    leaseUntil: new Date(NOW.getTime() + MINUTE),
    maxAttempts: 3,
  })

  it('once: then it can be claimed, its delivery waits, its marks stay, and its history shows the user and the reason', async () => {
    const event = await insert({ typeConflict: true })
    expect((await stores.retries.claim(claimOf(event))).kind).toBe('refused')
    const deliveries = [newDelivery({ ...event, ...(await stores.reader.head(event)) }, 'crm', ORDER)]
    const both = [stores.held.release(event, ORDER, deliveries), stores.held.release(event, ORDER, deliveries)]
    expect((await Promise.all(both)).sort()).toEqual([false, true])
    const released = await stores.reader.head(event)
    expect(released).toMatchObject({ status: 'RECEIVED', possibleDuplicateOf: 'a', typeConflict: true })
    expect([released?.held, released?.outcome]).toEqual([undefined, undefined])
    expect(released?.history.at(-1)).toMatchObject({ at: NOW, status: 'RECEIVED', by: 'operator', user: 'admin' })
    expect(await stores.desk.of(event)).toMatchObject([{ destination: 'crm', status: 'PENDING', attempts: 0 }])
    expect(await stores.retries.claim(claimOf(event))).toMatchObject({ kind: 'claimed' })
  })

  it('only while it is one: another is left alone, and gets no delivery', async () => {
    const event = failedEvent({ eventId: randomUUID() })
    await stores.events.insert(event, {})
    expect(await stores.held.release(event, ORDER, [newDelivery(event, 'crm', ORDER)])).toBe(false)
    expect(await stores.desk.of(event)).toEqual([])
  })
})
