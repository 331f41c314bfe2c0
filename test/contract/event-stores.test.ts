import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import type { OrderChange } from '../../lib/orders/order.ts'
import type { PaymentChange } from '../../lib/payments/payment.ts'
import type { EventReader } from '../../lib/webhooks/detail.ts'
import { hintOf, type RetryHint, type WebhookEvent } from '../../lib/webhooks/event.ts'
import type { EventStore } from '../../lib/webhooks/place.ts'
import type { DueEvent, DueEvents } from '../../lib/webhooks/retry/scan.ts'
import type { Claim, RetryStore } from '../../lib/webhooks/retry/worker.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { endAfter } from '../support/fakes/row-ends.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly events: EventStore
  readonly reader: EventReader
  readonly retries: RetryStore
  readonly due: DueEvents
}

const STORES = fakeAnd<Stores>(
  () => {
    const { eventStore, eventReader, retryStore, dueEvents } = new MemoryStore()
    return { events: eventStore, reader: eventReader, retries: retryStore, due: dueEvents }
  },
  (documents) => ({
    events: dynamoEventStore(documents, TABLES),
    reader: dynamoEventReader(documents, TABLES.events),
    retries: dynamoRetryStore(documents, TABLES),
    due: dynamoDueEvents(documents, TABLES.events),
  }),
)

const NOW = new Date('2026-01-02T03:04:05.678Z')
/** In days. */
const TEN_YEARS = 3650
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

function newEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const payload = Buffer.from('{"a":"ü"}')
  return {
    id: 3_804_000_000_000_000_123n,
    source: 'payment',
    eventId: randomUUID(),
    eventType: 'PAYMENT',
    status: 'PROCESSED',
    receivedAt: NOW,
    processedAt: NOW,
    attempts: 0,
    dead: false,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    proof: { level: 'full', typeSigned: true, idSigned: true, key: 'payment#1', signedAt: NOW },
    headers: { 'content-type': 'application/json' },
    history: [{ at: NOW, status: 'PROCESSED', by: 'intake' }],
    ...changes,
  }
}

/** Stored and handed over, so that it waits for its first run. */
const WAITING = {
  status: 'RECEIVED',
  processedAt: undefined,
  history: [{ at: NOW, status: 'RECEIVED', by: 'intake' }],
} as const

function bodyOf(payload: Buffer): Pick<WebhookEvent, 'payload' | 'payloadSha256'> {
  return { payload, payloadSha256: createHash('sha256').update(payload).digest('hex') }
}

function failedEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return newEvent({
    status: 'FAILED',
    processedAt: undefined,
    errorMessage: 'no',
    nextRetryAt: later(300),
    history: [{ at: NOW, status: 'FAILED', by: 'intake', error: 'no' }],
    ...changes,
  })
}

function change(changes: Partial<PaymentChange> = {}): PaymentChange {
  return {
    transactionId: randomUUID(),
    status: 'COMPLETED',
    orderId: 'o',
    currency: 'EUR',
    amount: '10.00',
    ...changes,
  }
}

const advance = (payment: PaymentChange) => ({ payment: { mode: 'advance', change: payment } as const })
const fill = (payment: PaymentChange) => ({
  payment: { mode: 'fill', change: payment } as const,
  outcome: 'superseded',
})

/** The last digit of a timestamp: all that these orders differ in. */
const at = (digit: number) => `2026-01-02T03:04:05.67800000${digit}`

function orderChange(changes: Partial<OrderChange> = {}): OrderChange {
  return { orderId: randomUUID(), status: 'SHIPPED', timestamp: at(5), ...changes }
}

const advanceOrder = (order: OrderChange) => ({ order: { mode: 'advance', change: order } as const })
const fillOrder = (order: OrderChange) => ({
  order: { mode: 'fill', change: order } as const,
  outcome: 'superseded',
})

function claimOf(event: WebhookEvent, now: Date, changes: Partial<Claim> = {}): Claim {
  const leaseUntil = new Date(now.getTime() + 60_000)
  return { ...hintOf(event), owner: randomUUID(), now, leaseUntil, maxAttempts: 3, ...changes }
}

const EXHAUSTED = { kind: 'written', event: { status: 'FAILED', dead: true, errorMessage: 'over' } }

describe.each(STORES)('%s as an event store', (_, open) => {
  const stores = open()

  async function insertFailed(changes: Partial<WebhookEvent> = {}): Promise<WebhookEvent> {
    const event = failedEvent(changes)
    expect(await stores.events.insert(event, {})).toEqual({ kind: 'inserted' })
    return event
  }

  /** What the sweep would find of an event by then. */
  async function dueEvent({ eventId }: WebhookEvent, now: Date): Promise<DueEvent | undefined> {
    for await (const page of stores.due.dueBy(now)) {
      const due = page.find(({ hint }) => hint.eventId === eventId)
      if (due) return due
    }
    return undefined
  }

  async function dueHint(event: WebhookEvent, now: Date): Promise<RetryHint | undefined> {
    return (await dueEvent(event, now))?.hint
  }

  async function insertReceived(): Promise<WebhookEvent> {
    const event = newEvent(WAITING)
    expect(await stores.events.insert(event, {})).toEqual({ kind: 'inserted' })
    return event
  }

  async function statusOf(event: WebhookEvent): Promise<string | undefined> {
    return (await stores.reader.find(event))?.status
  }

  it('stores every field of an event', async () => {
    const event = newEvent({ outcome: 'no action' })
    await stores.events.insert(event, {})
    expect(await stores.reader.find(event)).toEqual({ ...event, endsAt: endAfter(NOW, TEN_YEARS) })
  })

  it.each([
    ['bytes that are not text', Buffer.from([0xff, 0x00, 0xfe])],
    ['none', Buffer.alloc(0)],
    ['4 MiB that cannot be compressed', randomBytes(4_194_304)],
  ])('stores the payload byte by byte: %s', async (_what, payload) => {
    const event = newEvent({ ...bodyOf(payload), ...WAITING })
    await stores.events.insert(event, {})
    expect((await stores.reader.find(event))?.payload?.equals(payload)).toBe(true)
    expect(await stores.events.insert({ ...event, id: 7n }, {})).toMatchObject({ kind: 'present' })
    const result = await stores.retries.claim(claimOf(event, NOW))
    expect(result.kind === 'claimed' && (await result.body()).equals(payload)).toBe(true)
  })

  it('W17 stores one event for a content: a second id receives the last owner of the content, and replaces it only with that owner', async () => {
    const body = bodyOf(randomBytes(100))
    const [first, second, third] = [newEvent(body), newEvent({ ...body, receivedAt: later(9) }), newEvent(body)]
    const came = { since: NOW, types: ['TEST'] }
    const content = { sha256: body.payloadSha256, ...came }
    const payment = change()
    expect(await stores.events.insert(first, advance(payment), { content })).toEqual({ kind: 'inserted' })
    const last = { eventId: first.eventId, at: NOW, ...came }
    expect(await stores.events.insert(second, {}, { content })).toEqual({ kind: 'repeated', last })
    expect(await stores.events.insert(second, advance(payment), { content })).toEqual({ kind: 'repeated', last })
    expect(await stores.events.insert({ ...first, id: 7n }, {}, { content })).toMatchObject({ kind: 'present' })
    expect(await stores.reader.find(second)).toBeUndefined()
    expect(await stores.events.insert({ ...second, source: 'other' }, {}, { content })).toEqual({ kind: 'inserted' })
    const more = { ...came, types: ['TEST', 'OTHER'] }
    expect(await stores.events.insert(second, {}, { content: { ...content, ...more, last } })).toEqual({
      kind: 'inserted',
    })
    const newer = { kind: 'repeated', last: { eventId: second.eventId, at: later(9), ...more } }
    expect(await stores.events.insert(third, {}, { content: { ...content, last } })).toEqual(newer)
    expect(await stores.events.insert(third, {})).toEqual({ kind: 'inserted' })
    const other = { content: { sha256: randomBytes(32).toString('hex') } }
    const blocked = await stores.events.insert(newEvent(), advance(payment), other)
    expect(blocked).toMatchObject({ kind: 'blocked', stored: payment })
  })

  it('S2 keeps an event that is held, and nothing claims it or finds it due', async () => {
    const event = newEvent({
      status: 'RECEIVED',
      processedAt: undefined,
      held: true,
      typeConflict: true,
      outcome: 'held',
    })
    expect(await stores.events.insert(event, {})).toEqual({ kind: 'inserted' })
    expect(await stores.reader.head(event)).toMatchObject({ held: true, typeConflict: true, status: 'RECEIVED' })
    expect((await stores.retries.claim({ ...claimOf(event, NOW), n: 0 })).kind).toBe('refused')
  })

  it('inserts one of 50 parallel events of one content under as many unsigned ids', async () => {
    const content = { sha256: randomBytes(32).toString('hex') }
    const results = await Promise.all(
      Array.from({ length: 50 }, () => stores.events.insert(newEvent(), {}, { content })),
    )
    expect(results.filter(({ kind }) => kind === 'inserted')).toHaveLength(1)
    expect(results.filter(({ kind }) => kind === 'repeated')).toHaveLength(49)
  })

  it('notes another content under the id of an event once for each time that it was read', async () => {
    const event = newEvent()
    await stores.events.insert(event, {})
    await stores.events.noteConflict(event, later(1))
    await stores.events.noteConflict(event, later(2))
    const noted = await stores.reader.find(event)
    expect(noted?.idConflict).toEqual({ count: 1, lastAt: later(1) })
    await stores.events.noteConflict(noted ?? event, later(3))
    expect((await stores.reader.find(event))?.idConflict).toEqual({ count: 2, lastAt: later(3) })
  })

  it('stores the elements of a batch, with it or after it, in order', async () => {
    const items = Array.from({ length: 65 }, (_, index) => ({ eventId: `item-${index}`, eventType: 'T' }))
    const [small, large] = [newEvent({ itemCount: 65 }), newEvent({ itemCount: 250 })]
    await stores.events.insert(small, advance(change()), { items, content: { sha256: small.payloadSha256 } })
    expect(await stores.reader.items(small, 65)).toEqual(items)
    expect(await stores.reader.items(small, 2)).toEqual(items.slice(0, 2))
    const more = Array.from({ length: 250 }, () => ({ eventId: undefined, eventType: 'T' }))
    await stores.events.insert(large, {})
    expect(await stores.reader.items(large, 250)).toEqual([])
    for (const _time of [1, 2]) await stores.retries.writeItems(large, more)
    expect(await stores.reader.items(large, 250)).toEqual(more)
    expect(await stores.reader.find({ ...large, eventId: `${large.eventId}#1` })).toBeUndefined()
  })

  it('stores an event once: the second with the same source and id returns the first', async () => {
    const event = newEvent()
    await stores.events.insert(event, {})
    const second = await stores.events.insert({ ...event, id: 7n, payload: Buffer.from('x') }, {})
    expect(second).toMatchObject({ kind: 'present', event: { id: event.id, payloadSha256: event.payloadSha256 } })
    expect(await stores.events.insert({ ...event, source: 'stripe' }, {})).toEqual({ kind: 'inserted' })
  })

  it('stores an event and its effect, both or neither', async () => {
    const event = newEvent()
    const payment = change()
    await stores.events.insert(newEvent(), advance(payment))
    expect(await stores.events.insert(event, advance(payment))).toEqual({
      kind: 'blocked',
      by: 'payment',
      stored: expect.objectContaining({ ...payment }),
    })
    expect(await stores.reader.find(event)).toBeUndefined()
  })

  it('recognizes a duplicate whatever its effect', async () => {
    const event = newEvent()
    const payment = change()
    await stores.events.insert(event, advance(payment))
    expect(await stores.events.insert(event, advance(payment))).toMatchObject({ kind: 'present' })
    expect(await stores.events.insert(event, advance({ ...payment, orderId: 'x' }))).toMatchObject({ kind: 'present' })
  })

  it.each([
    ['a higher rank advances', { status: 'REFUNDED' }, 'inserted'],
    ['the same rank is blocked', {}, 'blocked'],
    ['a lower rank is blocked', { status: 'FAILED' }, 'blocked'],
    ['a higher rank of another order is blocked', { status: 'REFUNDED', orderId: 'x' }, 'blocked'],
    ['a higher rank in another currency is blocked', { status: 'REFUNDED', currency: 'USD' }, 'blocked'],
    ['a higher rank without an order advances', { status: 'REFUNDED', orderId: undefined }, 'inserted'],
  ] as const)('moves a payment by rank: %s', async (_what, changes, kind) => {
    const payment = change()
    await stores.events.insert(newEvent(), advance(payment))
    expect(await stores.events.insert(newEvent(), advance({ ...payment, ...changes }))).toMatchObject({ kind })
  })

  it('a superseded payment adds missing values and changes nothing else', async () => {
    const { amount: _amount, orderId: _orderId, ...bare } = change({ status: 'REFUNDED' })
    const late = { ...bare, status: 'COMPLETED', amount: '7.50', orderId: 'o', customerId: 'c' } as const
    await stores.events.insert(newEvent(), advance(bare))
    expect(await stores.events.insert(newEvent(), fill(late))).toEqual({ kind: 'inserted' })
    expect(await stores.events.insert(newEvent(), fill({ ...late, amount: '9' }))).toEqual({ kind: 'inserted' })
    expect(await stores.events.insert(newEvent(), advance(late))).toMatchObject({
      stored: { status: 'REFUNDED', amount: '7.50', orderId: 'o', customerId: 'c' },
    })
  })

  it.each([
    ['a newer timestamp advances', at(6), 'inserted'],
    ['the same timestamp advances: the order of arrival decides', at(5), 'inserted'],
    ['no timestamp advances', undefined, 'inserted'],
    ['an older timestamp is blocked', at(4), 'blocked'],
  ])('moves an order in the order of arrival, never back in time: %s', async (_what, timestamp, kind) => {
    const order = orderChange()
    await stores.events.insert(newEvent(), advanceOrder(order))
    const event = newEvent()
    const changed = { ...order, status: 'DELIVERED', timestamp } as const
    expect((await stores.events.insert(event, advanceOrder(changed))).kind).toBe(kind)
    expect((await stores.reader.find(event)) !== undefined).toBe(kind === 'inserted')
  })

  /** The order as it stands, shown by a change that is too old for any order. */
  async function storedOrder(orderId: string): Promise<unknown> {
    const change = orderChange({ orderId, timestamp: '0000-01-01T00:00:00.000000000' })
    const result = await stores.events.insert(newEvent(), advanceOrder(change))
    return result.kind === 'blocked' && result.by === 'order' ? result.stored : undefined
  }

  it('an advancing order keeps all values that the change does not contain, including its timestamp', async () => {
    const order = orderChange({ trackingNumber: 't', carrier: 'c', estimatedDelivery: '2026-02-03' })
    await stores.events.insert(newEvent(), advanceOrder(order))
    const { orderId } = order
    await stores.events.insert(newEvent(), advanceOrder({ orderId, status: 'DELIVERED', carrier: 'd' }))
    expect(await storedOrder(orderId)).toEqual({ ...order, status: 'DELIVERED', carrier: 'd' })
  })

  it('an order without a timestamp accepts any, and keeps it from then on', async () => {
    const { orderId } = orderChange()
    await stores.events.insert(newEvent(), advanceOrder({ orderId, status: 'PENDING' }))
    const first = orderChange({ orderId, timestamp: at(0) })
    expect(await stores.events.insert(newEvent(), advanceOrder(first))).toEqual({ kind: 'inserted' })
    expect(await storedOrder(orderId)).toMatchObject({ status: 'SHIPPED', timestamp: at(0) })
  })

  it('a superseded order adds missing values and changes nothing else', async () => {
    const order = orderChange({ carrier: 'c' })
    const { orderId } = order
    const late = { orderId, status: 'PENDING', trackingNumber: 't', carrier: 'd', timestamp: at(3) } as const
    await stores.events.insert(newEvent(), advanceOrder(order))
    const event = newEvent({ outcome: 'superseded' })
    expect(await stores.events.insert(event, fillOrder(late))).toEqual({ kind: 'inserted' })
    const later = { ...late, trackingNumber: 'u', estimatedDelivery: '2026-02-03' }
    expect(await stores.events.insert(newEvent(), fillOrder(later))).toEqual({ kind: 'inserted' })
    expect(await storedOrder(orderId)).toEqual({ ...order, trackingNumber: 't', estimatedDelivery: '2026-02-03' })
    expect(await stores.reader.find(event)).toMatchObject({ status: 'PROCESSED', outcome: 'superseded' })
  })

  it('an event that is not older than the stored order is not superseded', async () => {
    const order = orderChange()
    await stores.events.insert(newEvent(), advanceOrder(order))
    expect(await stores.events.insert(newEvent(), fillOrder(order))).toMatchObject({ kind: 'blocked', by: 'order' })
  })

  it('a failed event is due at its time, not before, and only while it waits', async () => {
    const event = await insertFailed()
    expect(await dueHint(event, later(299))).toBeUndefined()
    expect(await dueHint(event, later(300))).toEqual({ source: 'payment', eventId: event.eventId, n: 1 })
    const claim = claimOf(event, later(300))
    await stores.retries.claim(claim)
    expect(await dueHint(event, later(300))).toBeUndefined()
    expect(await dueHint(event, later(360))).toMatchObject({ n: 2 })
    await stores.retries.finish(claim, event, {}, later(301))
    expect(await dueHint(event, later(9999))).toBeUndefined()
  })

  it('the sweep returns later to an event for which it sent a hint', async () => {
    const event = await insertFailed()
    const hint = hintOf(event)
    await stores.due.postponeScan(hint, later(600))
    expect(await dueHint(event, later(599))).toBeUndefined()
    expect(await dueHint(event, later(600))).toEqual(hint)
    await stores.due.postponeScan({ ...hint, n: 5 }, later(900))
    expect(await dueHint(event, later(600))).toEqual(hint)
    await stores.due.postponeScan({ ...hint, eventId: randomUUID() }, later(900))
  })

  it('a claim charges an attempt once, also if its answer was lost, and returns the event', async () => {
    const event = await insertFailed()
    const claim = claimOf(event, later(300))
    const claimed = { status: 'RETRY', attempts: 1, owner: claim.owner, leaseUntil: claim.leaseUntil }
    expect(await stores.retries.claim(claim)).toMatchObject({ kind: 'claimed', event: claimed })
    const result = await stores.retries.claim(claim)
    expect(result).toMatchObject({ kind: 'claimed', event: claimed })
    expect(result.kind === 'claimed' && (await result.body()).equals(event.payload)).toBe(true)
    expect(result.event?.history.map(({ status, by }) => `${status} ${by}`)).toEqual(['FAILED intake', 'RETRY retry'])
  })

  it.each([
    ['before it is due', 299, {}],
    ['with the number of another run', 300, { n: 2 }],
    ['with no attempt left', 300, { maxAttempts: 0 }],
  ])('a claim is refused %s', async (_what, seconds, changes) => {
    const event = await insertFailed()
    expect(await stores.retries.claim(claimOf(event, later(seconds), changes))).toMatchObject({
      kind: 'refused',
      event: { status: 'FAILED', attempts: 0 },
    })
  })

  it('a claim is refused for an event that is unknown, is processed or belongs to another worker', async () => {
    const unknown = await stores.retries.claim(claimOf(failedEvent(), later(300)))
    expect(unknown).toEqual({ kind: 'refused', event: undefined })
    const processed = newEvent()
    await stores.events.insert(processed, {})
    expect((await stores.retries.claim(claimOf(processed, later(9999)))).kind).toBe('refused')
    const event = await insertFailed()
    await stores.retries.claim(claimOf(event, later(300)))
    expect((await stores.retries.claim(claimOf(event, later(301)))).kind).toBe('refused')
    expect((await stores.retries.claim(claimOf({ ...event, attempts: 1 }, later(359)))).kind).toBe('refused')
  })

  it('an expired lease can be taken over, and the old owner can end nothing after that', async () => {
    const event = await insertFailed()
    const old = claimOf(event, later(300))
    await stores.retries.claim(old)
    const heir = claimOf({ ...event, attempts: 1 }, later(361))
    expect(await stores.retries.claim(heir)).toMatchObject({ kind: 'claimed', event: { attempts: 2 } })
    expect(await stores.retries.finish(old, event, advance(change()), later(362))).toEqual({ kind: 'lost' })
    const failure = { at: later(362), errorMessage: 'x', nextRetryAt: later(900) }
    expect(await stores.retries.fail(old, event, failure)).toEqual({ kind: 'lost' })
    expect(await stores.retries.finish(heir, event, {}, later(363))).toEqual({ kind: 'written' })
  })

  it('finish leads to PROCESSED and the effect, both or neither', async () => {
    const event = await insertFailed()
    const claim = claimOf(event, later(300))
    const payment = change()
    await stores.retries.claim(claim)
    await stores.events.insert(newEvent(), advance({ ...payment, status: 'REFUNDED' }))
    expect(await stores.retries.finish(claim, event, advance(payment), later(301))).toMatchObject({ kind: 'blocked' })
    expect(await statusOf(event)).toBe('RETRY')
    expect(await stores.retries.finish(claim, event, fill(payment), later(302))).toEqual({ kind: 'written' })
    const processed = await stores.reader.find(event)
    const ended = { errorMessage: undefined, nextRetryAt: undefined, leaseUntil: undefined }
    expect({ ...ended, ...processed }).toMatchObject({
      ...{ status: 'PROCESSED', processedAt: later(302), outcome: 'superseded', attempts: 1 },
      ...ended,
    })
  })

  it('finish that is repeated after its answer was lost is still written, and its effect is applied once', async () => {
    const event = await insertFailed()
    const claim = claimOf(event, later(300))
    const payment = change()
    await stores.retries.claim(claim)
    expect(await stores.retries.finish(claim, event, advance(payment), later(301))).toEqual({ kind: 'written' })
    expect(await stores.retries.finish(claim, event, advance(payment), later(301))).toEqual({ kind: 'written' })
    expect((await stores.reader.find(event))?.history).toHaveLength(3)
  })

  it('fail leads back to FAILED with the next time, or permanently', async () => {
    const event = await insertFailed()
    const claim = claimOf(event, later(300))
    await stores.retries.claim(claim)
    const failure = { at: later(301), errorMessage: 'again', nextRetryAt: later(900) }
    expect(await stores.retries.fail(claim, event, failure)).toEqual({ kind: 'written' })
    expect(await stores.retries.fail(claim, event, failure)).toEqual({ kind: 'written' })
    expect(await stores.reader.find(event)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'again',
      attempts: 1,
      nextRetryAt: later(900),
      dead: false,
    })
    expect(await dueHint(event, later(900))).toMatchObject({ n: 2 })
    const last = claimOf({ ...event, attempts: 1 }, later(900))
    await stores.retries.claim(last)
    await stores.retries.fail(last, event, { at: later(901), errorMessage: 'for good', nextRetryAt: undefined })
    const dead = await stores.reader.find(event)
    expect(dead).toMatchObject({ status: 'FAILED', errorMessage: 'for good', attempts: 2, dead: true })
    expect(dead?.nextRetryAt).toBeUndefined()
    expect(await dueHint(event, later(99_999))).toBeUndefined()
  })

  it.each([
    ['failed', () => insertFailed()],
    ['received', () => insertReceived()],
  ])('exhaust ends an event that waits, and no other run: %s', async (_what, insert) => {
    const waiting = await insert()
    const hint = hintOf(waiting)
    expect(await stores.retries.exhaust({ ...hint, n: hint.n + 1 }, later(1), 'over')).toEqual({ kind: 'lost' })
    expect(await stores.retries.exhaust(hint, later(1), 'over')).toMatchObject(EXHAUSTED)
    expect(await stores.reader.find(waiting)).toMatchObject({ status: 'FAILED', dead: true, errorMessage: 'over' })
    expect(await dueHint(waiting, later(99_999))).toBeUndefined()
    expect(await stores.retries.exhaust(hint, later(1), 'over')).toEqual({ kind: 'lost' })
  })

  it.each([
    ['retry', () => insertFailed(), (event: WebhookEvent) => ({ ...event, attempts: 1 }) as const],
    ['first run', () => insertReceived(), (event: WebhookEvent) => ({ ...event, status: 'PROCESSING' }) as const],
  ])(
    'an abandoned %s without an attempt left is exhausted after its lease, and not claimed',
    async (_, insert, left) => {
      const event = await insert()
      await stores.retries.claim(claimOf(event, later(300)))
      const abandoned = left(event)
      expect((await stores.retries.claim(claimOf(abandoned, later(361), { maxAttempts: 0 }))).kind).toBe('refused')
      expect(await stores.retries.exhaust(hintOf(abandoned), later(359), 'over')).toEqual({ kind: 'lost' })
      const before = { ...hintOf(abandoned), n: hintOf(abandoned).n - 1 }
      expect(await stores.retries.exhaust(before, later(361), 'over')).toEqual({ kind: 'lost' })
      expect(await stores.retries.exhaust(hintOf(abandoned), later(361), 'over')).toMatchObject(EXHAUSTED)
      expect(await stores.reader.find(event)).toMatchObject({ status: 'FAILED', dead: true })
      expect(await dueHint(event, later(99_999))).toBeUndefined()
    },
  )

  it('a received event is due at once, and its claim leads to PROCESSING without charging an attempt', async () => {
    const event = await insertReceived()
    expect(await dueHint(event, later(-1))).toBeUndefined()
    expect(await dueHint(event, NOW)).toEqual({ source: 'payment', eventId: event.eventId, n: 0 })
    const claim = claimOf(event, NOW)
    expect(await stores.retries.claim(claim)).toMatchObject({
      kind: 'claimed',
      event: { status: 'PROCESSING', attempts: 0, owner: claim.owner, leaseUntil: claim.leaseUntil },
    })
    expect(await stores.retries.claim(claim)).toMatchObject({ kind: 'claimed', event: { attempts: 0 } })
    expect((await stores.retries.claim(claimOf(event, NOW))).kind).toBe('refused')
    expect((await stores.retries.claim(claimOf({ ...event, status: 'FAILED' }, later(59)))).kind).toBe('refused')
    expect(await stores.retries.finish(claim, event, { outcome: 'pushed' }, later(1))).toEqual({ kind: 'written' })
    expect(await stores.reader.find(event)).toMatchObject({ status: 'PROCESSED', outcome: 'pushed', attempts: 0 })
    expect(await dueHint(event, later(99_999))).toBeUndefined()
  })

  it('an expired first run is due again and its claim leads to RETRY with one attempt', async () => {
    const event = await insertReceived()
    const old = claimOf(event, NOW)
    await stores.retries.claim(old)
    const abandoned = { ...event, status: 'PROCESSING' } as const
    expect(await dueHint(event, later(60))).toMatchObject({ n: 1 })
    const heir = claimOf(abandoned, later(61))
    expect(await stores.retries.claim(heir)).toMatchObject({ event: { status: 'RETRY', attempts: 1 } })
    expect(await stores.retries.finish(old, event, advance(change()), later(62))).toEqual({ kind: 'lost' })
    expect(
      await stores.retries.fail(heir, event, { at: later(63), errorMessage: 'x', nextRetryAt: later(300) }),
    ).toEqual({
      kind: 'written',
    })
    expect(await stores.reader.find(event)).toMatchObject({ status: 'FAILED', attempts: 1, nextRetryAt: later(300) })
  })

  it.each(['RECEIVED', 'FAILED'] as const)('release returns a run: %s as before, and due', async (status) => {
    const event = status === 'RECEIVED' ? await insertReceived() : await insertFailed()
    const claim = claimOf(event, later(300))
    await stores.retries.claim(claim)
    expect(await stores.retries.release({ ...claim, owner: 'other' }, event, later(301))).toEqual({ kind: 'lost' })
    expect(await stores.retries.release(claim, event, later(301))).toEqual({ kind: 'written' })
    expect(await stores.retries.release(claim, undefined, later(302))).toEqual({ kind: 'written' })
    const released = await stores.reader.find(event)
    expect(released).toMatchObject({ status, attempts: 0, dead: false })
    expect(released?.leaseUntil).toBeUndefined()
    expect(await dueHint(event, later(301))).toEqual(hintOf(event))
    expect((await stores.retries.finish(claim, event, advance(change()), later(302))).kind).toBe('lost')
    expect((await stores.retries.claim(claimOf(event, later(302)))).kind).toBe('claimed')
  })

  it('release of a run that replaced an abandoned one leads to FAILED and due', async () => {
    const event = await insertReceived()
    await stores.retries.claim(claimOf(event, NOW))
    const heir = claimOf({ ...event, status: 'PROCESSING' }, later(61))
    await stores.retries.claim(heir)
    expect(await stores.retries.release(heir, undefined, later(62))).toEqual({ kind: 'written' })
    const released = await stores.reader.find(event)
    expect(released).toMatchObject({ status: 'FAILED', attempts: 0, nextRetryAt: later(62) })
  })

  it('release of an unclaimed or finished event changes nothing', async () => {
    const event = await insertFailed()
    expect(await stores.retries.release(claimOf(event, later(300)), undefined, later(300))).toEqual({ kind: 'lost' })
    const claim = claimOf(event, later(300))
    await stores.retries.claim(claim)
    await stores.retries.finish(claim, event, {}, later(301))
    expect(await stores.retries.release(claim, event, later(302))).toEqual({ kind: 'lost' })
    expect(await stores.retries.fail(claim, event, { at: later(302), errorMessage: 'x', nextRetryAt: NOW })).toEqual({
      kind: 'lost',
    })
    expect(await statusOf(event)).toBe('PROCESSED')
  })

  it('the sweep shows since when a row waits, even if it was postponed', async () => {
    const event = await insertReceived()
    await stores.due.postponeScan(hintOf(event), later(600))
    const found = await dueEvent(event, later(600))
    expect(found?.since).toEqual(NOW)
    const failed = await insertFailed()
    expect((await dueEvent(failed, later(400)))?.since).toEqual(later(300))
    await stores.retries.claim(claimOf(failed, later(300)))
    expect((await dueEvent(failed, later(400)))?.since).toEqual(later(360))
  })

  it('a long history keeps its first move and the latest ones', async () => {
    const event = await insertReceived()
    for (let time = 1; time <= 60; time++) {
      const claim = claimOf(event, later(time))
      const result = await stores.retries.claim(claim)
      await stores.retries.release(claim, result.event, later(time))
    }
    const { history = [] } = (await stores.reader.find(event)) ?? {}
    expect(history).toHaveLength(100)
    expect(history.at(0)).toEqual(WAITING.history[0])
    expect(history.at(-1)).toMatchObject({ at: later(60), status: 'RECEIVED', by: 'worker' })
    expect(history.at(1)?.at).toEqual(later(11))
  })
})
