import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../../lib/adapters/dynamodb/due-deliveries.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import type { Delivery, DeliveryKey } from '../../lib/deliver/delivery.ts'
import type {
  DeliveryClaim,
  DeliveryDesk,
  DeliveryFailure,
  DeliveryStore,
  DueDeliveries,
} from '../../lib/deliver/stores.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { EventStore } from '../../lib/webhooks/place.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START as NOW } from '../support/fakes/clock.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { endAfter } from '../support/fakes/row-ends.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly due: DueDeliveries
  readonly desk: DeliveryDesk
}

const STORES = fakeAnd<Stores>(
  () => {
    const { eventStore, deliveries } = new MemoryStore()
    const { store, due, desk } = deliveries
    return { events: eventStore, deliveries: store, due, desk }
  },
  (documents) => ({
    events: dynamoEventStore(documents, TABLES),
    deliveries: dynamoDeliveryStore(documents, TABLES.deliveries),
    due: dynamoDueDeliveries(documents, TABLES.deliveries),
    desk: dynamoDeliveryDesk(documents, TABLES.deliveries),
  }),
)

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

/** In seconds. */
const LEASE = 40

function newEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const payload = Buffer.from(randomUUID())
  const payloadSha256 = createHash('sha256').update(payload).digest('hex')
  return failedEvent({ eventId: `${randomUUID()}/a#b`, receivedAt: NOW, payload, payloadSha256, ...changes })
}

function claimOf(key: DeliveryKey, n: number, now: Date, changes: Partial<DeliveryClaim> = {}): DeliveryClaim {
  const { source, eventId, destination } = key
  const leaseUntil = new Date(now.getTime() + LEASE * 1000)
  return { source, eventId, destination, n, owner: randomUUID(), now, leaseUntil, ...changes }
}

const failure = (at: Date, dueAt: Date | undefined): DeliveryFailure => ({ at, answer: '503', dueAt })

/** When an event ends whose retention is not said. */
const END = endAfter(NOW, 3650)

const ORDER = { at: later(1000), user: 'admin', reason: 'again' } as const

describe.each(STORES)('%s as a delivery store', (_, open) => {
  const stores = open()

  async function insert(names: readonly string[], changes: Partial<WebhookEvent> = {}): Promise<WebhookEvent> {
    const event = newEvent(changes)
    const deliverTo = names.map((destination) => ({ destination, sweepAt: later(LEASE) }))
    expect(await stores.events.insert(event, {}, { deliverTo })).toEqual({ kind: 'inserted' })
    return event
  }

  /** A delivery to a destination of its own. */
  async function fresh(): Promise<DeliveryKey> {
    const destination = `d-${randomUUID()}`
    const { source, eventId } = await insert([destination])
    return { source, eventId, destination }
  }

  async function stored({ source, eventId, destination }: DeliveryKey): Promise<Delivery> {
    const found = await stores.desk.of({ source, eventId })
    const delivery = found.find((one) => one.destination === destination)
    if (!delivery) throw new Error('no such delivery')
    return delivery
  }

  /** What the scan would find of a delivery by then. */
  async function dueHint({ destination }: DeliveryKey, now: Date) {
    for await (const page of stores.due.dueBy(destination, now)) for (const due of page) return due
    return undefined
  }

  async function claimed(claim: DeliveryClaim): Promise<Delivery> {
    const result = await stores.deliveries.claim(claim)
    expect(result.kind).toBe('claimed')
    return stored(claim)
  }

  const LATER = later(99_999)

  it('adds deliveries with their event, every field: each is PENDING, due at once, and scanned a lease later', async () => {
    const event = await insert(['bus', 'crm'])
    const { id, source, eventId, eventType } = event
    const times = { receivedAt: NOW, dueAt: NOW, endsAt: END }
    const row = { id, source, eventId, eventType, status: 'PENDING', attempts: 0, history: [], ...times }
    expect(await stores.desk.of(event)).toEqual([
      { ...row, destination: 'bus' },
      { ...row, destination: 'crm' },
    ])
    expect(await stores.desk.of(newEvent())).toEqual([])
    const key = await fresh()
    expect(await dueHint(key, later(LEASE - 1))).toBeUndefined()
    expect(await dueHint(key, later(LEASE))).toEqual({ hint: { ...key, n: 0 }, sweepAt: later(LEASE) })
  })

  it('adds deliveries only with their event: a known event, or one with blocked effects, adds none', async () => {
    const event = newEvent()
    const deliverTo = [{ destination: 'crm', sweepAt: NOW }]
    await stores.events.insert(event, {})
    expect(await stores.events.insert(event, {}, { deliverTo })).toMatchObject({ kind: 'present' })
    expect(await stores.desk.of(event)).toEqual([])
    const change = { transactionId: randomUUID(), status: 'COMPLETED', currency: 'EUR' } as const
    const pay = { payment: { mode: 'advance', change } } as const
    const processed = { status: 'PROCESSED', processedAt: NOW } as const
    const [first, second] = [newEvent(processed), newEvent(processed)]
    const items = Array.from({ length: 65 }, () => ({ eventId: undefined, eventType: 'T' }))
    const content = { sha256: first.payloadSha256 }
    const many = Array.from({ length: 25 }, (_name, index) => ({ destination: `d-${index}`, sweepAt: NOW }))
    expect(await stores.events.insert(first, pay, { deliverTo: many, items, content })).toEqual({ kind: 'inserted' })
    expect(await stores.desk.of(first)).toHaveLength(25)
    expect(await stores.events.insert(second, pay, { deliverTo })).toMatchObject({ kind: 'blocked' })
    expect(await stores.desk.of(second)).toEqual([])
  })

  it('a claim takes a due delivery, charges it, and can be repeated by its owner', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    const expected = { status: 'SENDING', attempts: 1, owner: claim.owner, leaseUntil: claim.leaseUntil }
    expect(await stores.deliveries.claim(claim)).toMatchObject({ kind: 'claimed', delivery: expected })
    expect(await stores.deliveries.claim(claim)).toMatchObject({ kind: 'claimed', delivery: expected })
    expect((await stored(key)).dueAt).toBeUndefined()
    const other = await stores.deliveries.claim(claimOf(key, 0, NOW))
    expect(other).toMatchObject({ kind: 'refused', delivery: expected })
    expect(await dueHint(key, claim.leaseUntil)).toMatchObject({ hint: { n: 1 } })
  })

  it('a claim of an unknown delivery is refused', async () => {
    const key = { source: 'payment', eventId: randomUUID(), destination: 'crm' }
    expect(await stores.deliveries.claim(claimOf(key, 0, NOW))).toEqual({ kind: 'refused', delivery: undefined })
    expect(await stores.deliveries.release(claimOf(key, 0, NOW), NOW)).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.abandon({ ...key, n: 0 }, NOW, 'x')).toEqual({ kind: 'lost' })
    expect(await stores.desk.order(key, ORDER)).toEqual({ kind: 'refused', delivery: undefined })
  })

  it('10 claims at once: one succeeds', async () => {
    const key = await fresh()
    const results = await Promise.all(Array.from({ length: 10 }, () => stores.deliveries.claim(claimOf(key, 0, NOW))))
    expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
  })

  it.each([
    ['more tries than in the row', 2, later(300), 'refused'],
    ['fewer', 0, later(300), 'refused'],
    ['as many tries, but too early', 1, later(299), 'refused'],
    ['as many tries, when it is due', 1, later(300), 'claimed'],
  ])('a claim of a delivery that failed, by a hint with %s', async (_what, n, now, kind) => {
    const key = await fresh()
    const first = claimOf(key, 0, NOW)
    await stores.deliveries.fail(first, await claimed(first), failure(NOW, later(300)))
    expect((await stores.deliveries.claim(claimOf(key, n, now))).kind).toBe(kind)
  })

  it.each([
    ['the hint of the first try', 0, later(LEASE + 1), 'refused'],
    ['as many tries, within the lease', 1, later(LEASE), 'refused'],
    ['as many tries, after the lease', 1, later(LEASE + 1), 'claimed'],
  ])('a claim of a delivery under way, by %s', async (_what, n, now, kind) => {
    const key = await fresh()
    await claimed(claimOf(key, 0, NOW))
    expect((await stores.deliveries.claim(claimOf(key, n, now))).kind).toBe(kind)
  })

  it('a successful try leads to DELIVERED, once and by its owner, and nothing waits any more', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    const delivery = await claimed(claim)
    const deliver = (owner: string) =>
      stores.deliveries.deliver({ ...claim, owner }, delivery, { answer: '200', at: later(1) })
    expect(await deliver('other')).toEqual({ kind: 'lost' })
    expect(await deliver(claim.owner)).toEqual({ kind: 'written' })
    expect(await deliver(claim.owner)).toEqual({ kind: 'written' })
    const after = await stored(key)
    expect(after).toMatchObject({ status: 'DELIVERED', answer: '200', deliveredAt: later(1), attempts: 1 })
    expect(after.history).toEqual([{ at: later(1), status: 'DELIVERED', answer: '200' }])
    expect([after.leaseUntil, after.dueAt]).toEqual([undefined, undefined])
    expect(await dueHint(key, LATER)).toBeUndefined()
    expect((await stores.deliveries.claim(claimOf(key, 1, LATER))).kind).toBe('refused')
    expect(await stores.deliveries.fail(claim, delivery, failure(later(2), LATER))).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.release(claim, LATER)).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.abandon({ ...key, n: 1 }, LATER, 'x')).toEqual({ kind: 'lost' })
    await stores.due.postponeScan({ ...key, n: 1 }, later(500))
    expect(await stored(key)).toEqual(after)
    expect(await dueHint(key, LATER)).toBeUndefined()
    expect(await stores.due.waiting(key.destination)).toEqual({ count: 0, oldest: undefined, ending: [] })
  })

  it('a failed try leads to PENDING until it is due, only by its owner', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    const delivery = await claimed(claim)
    const fail = (owner: string) => stores.deliveries.fail({ ...claim, owner }, delivery, failure(later(1), later(300)))
    expect(await fail('other')).toEqual({ kind: 'lost' })
    expect(await fail(claim.owner)).toEqual({ kind: 'written' })
    expect(await fail(claim.owner)).toEqual({ kind: 'written' })
    const after = await stored(key)
    expect(after).toMatchObject({ status: 'PENDING', answer: '503', attempts: 1, dueAt: later(300) })
    expect(after.history).toEqual([{ at: later(1), status: 'PENDING', answer: '503' }])
    expect(after.leaseUntil).toBeUndefined()
    expect(await dueHint(key, later(299))).toBeUndefined()
    expect(await dueHint(key, later(300))).toEqual({ hint: { ...key, n: 1 }, sweepAt: later(300) })
  })

  it('a try that failed permanently leads to DEAD, and nothing waits any more', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    const dead = { at: later(1), answer: 'x'.repeat(300), dueAt: undefined }
    expect(await stores.deliveries.fail(claim, await claimed(claim), dead)).toEqual({ kind: 'written' })
    const after = await stored(key)
    expect(after).toMatchObject({ status: 'DEAD', answer: 'x'.repeat(256), attempts: 1 })
    expect(after.history.at(-1)?.answer).toBe('x'.repeat(256))
    expect([after.dueAt, after.leaseUntil]).toEqual([undefined, undefined])
    expect(await dueHint(key, LATER)).toBeUndefined()
    expect((await stores.deliveries.claim(claimOf(key, 1, LATER))).kind).toBe('refused')
  })

  it('the next owner after a lease is charged, and scanned after the new lease; the try before writes nothing', async () => {
    const key = await fresh()
    const old = claimOf(key, 0, NOW)
    const delivery = await claimed(old)
    const heir = claimOf(key, 1, later(LEASE + 1))
    const before = await claimed(heir)
    expect(before).toMatchObject({ attempts: 2, owner: heir.owner, leaseUntil: heir.leaseUntil })
    expect(await dueHint(key, LATER)).toEqual({ hint: { ...key, n: 2 }, sweepAt: heir.leaseUntil })
    expect(await stores.deliveries.deliver(old, delivery, { answer: '200', at: LATER })).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.fail(old, delivery, failure(LATER, undefined))).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.release(old, LATER)).toEqual({ kind: 'lost' })
    expect(await stored(key)).toEqual(before)
  })

  it('release revokes the try, and the delivery is due at the given time', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    await claimed(claim)
    expect(await stores.deliveries.release({ ...claim, owner: 'other' }, later(60))).toEqual({ kind: 'lost' })
    expect(await stores.deliveries.release(claim, later(60))).toEqual({ kind: 'written' })
    expect(await stores.deliveries.release(claim, later(60))).toEqual({ kind: 'written' })
    const after = await stored(key)
    expect(after).toMatchObject({ status: 'PENDING', attempts: 0, dueAt: later(60), history: [] })
    expect(after.leaseUntil).toBeUndefined()
    expect(await dueHint(key, LATER)).toEqual({ hint: { ...key, n: 0 }, sweepAt: later(60) })
    expect((await stores.deliveries.claim(claimOf(key, 0, later(59)))).kind).toBe('refused')
    expect((await stores.deliveries.claim(claimOf(key, 0, later(60)))).kind).toBe('claimed')
  })

  it('a waiting delivery is abandoned once, by a hint with as many tries', async () => {
    const key = await fresh()
    const abandon = (n: number) => stores.deliveries.abandon({ ...key, n }, later(1), 'too late')
    expect(await abandon(1)).toEqual({ kind: 'lost' })
    expect(await abandon(0)).toEqual({ kind: 'written' })
    expect(await abandon(0)).toEqual({ kind: 'written' })
    expect(await stores.deliveries.abandon({ ...key, n: 0 }, later(2), 'too late')).toEqual({ kind: 'lost' })
    const after = await stored(key)
    expect(after).toMatchObject({ status: 'DEAD', answer: 'too late', attempts: 0 })
    expect(after.history).toEqual([{ at: later(1), status: 'DEAD', answer: 'too late' }])
    expect(await dueHint(key, LATER)).toBeUndefined()
  })

  it('a delivery under way is abandoned only after the end of its lease', async () => {
    const key = await fresh()
    const claim = claimOf(key, 0, NOW)
    const delivery = await claimed(claim)
    const abandon = (n: number, at: Date) => stores.deliveries.abandon({ ...key, n }, at, 'too late')
    expect(await abandon(1, later(LEASE))).toEqual({ kind: 'lost' })
    expect(await abandon(0, later(LEASE + 1))).toEqual({ kind: 'lost' })
    expect(await abandon(1, later(LEASE + 1))).toEqual({ kind: 'written' })
    expect(await stored(key)).toMatchObject({ status: 'DEAD', attempts: 1 })
    expect(await stores.deliveries.deliver(claim, delivery, { answer: '200', at: LATER })).toEqual({ kind: 'lost' })
    expect(await dueHint(key, LATER)).toBeUndefined()
  })

  it('the latest twenty moves are kept', async () => {
    const key = await fresh()
    for (let n = 0; n < 23; n++) {
      const claim = claimOf(key, n, later(n))
      await stores.deliveries.fail(claim, await claimed(claim), failure(later(n), later(n)))
    }
    const { history } = await stored(key)
    expect(history.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_move, index) => later(index + 3)))
    for (const seconds of [1, 2]) await stores.desk.order(key, { ...ORDER, at: later(2000 + seconds) })
    expect((await stored(key)).history).toHaveLength(20)
  })

  describe('for operators', () => {
    it.each(['PENDING', 'DELIVERED', 'DEAD', 'a lease that is over'])(
      '%s is delivered again at once',
      async (status) => {
        const key = await fresh()
        const claim = claimOf(key, 0, NOW)
        const delivery = await claimed(claim)
        if (status === 'PENDING') await stores.deliveries.fail(claim, delivery, failure(NOW, LATER))
        if (status === 'DELIVERED') await stores.deliveries.deliver(claim, delivery, { answer: '200', at: NOW })
        if (status === 'DEAD') await stores.deliveries.fail(claim, delivery, failure(NOW, undefined))
        const { kind, delivery: ordered } = await stores.desk.order(key, ORDER)
        expect(kind).toBe('ordered')
        const expected = { status: 'PENDING', attempts: 0, dueAt: ORDER.at, orderedAt: ORDER.at }
        expect(ordered).toMatchObject(expected)
        const after = await stored(key)
        expect(after).toMatchObject(expected)
        expect(after.history.at(-1)).toEqual({ at: ORDER.at, status: 'PENDING', user: 'admin', reason: 'again' })
        expect([after.leaseUntil, after.deliveredAt]).toEqual([undefined, undefined])
        expect(await dueHint(key, LATER)).toEqual({ hint: { ...key, n: 0 }, sweepAt: ORDER.at })
        expect(await stores.deliveries.deliver(claim, delivery, { answer: '200', at: LATER })).toEqual({ kind: 'lost' })
        expect((await stores.deliveries.claim(claimOf(key, 0, ORDER.at))).kind).toBe('claimed')
      },
    )

    it('a delivery under way is left unchanged', async () => {
      const key = await fresh()
      await claimed(claimOf(key, 0, NOW))
      const before = await stored(key)
      const refused = await stores.desk.order(key, { ...ORDER, at: later(LEASE) })
      expect(refused).toEqual({ kind: 'refused', delivery: before })
      expect(await stored(key)).toEqual(before)
    })

    it('a replay orders each delivery once, and another replay or an operator orders it again', async () => {
      const key = await fresh()
      const order = (replayId?: string) => stores.desk.order(key, { ...ORDER, replayId })
      expect(await order('r1')).toMatchObject({ kind: 'ordered', delivery: { replayId: 'r1' } })
      expect(await order('r1')).toMatchObject({ kind: 'refused', delivery: { replayId: 'r1' } })
      expect(await order()).toMatchObject({ kind: 'ordered', delivery: { replayId: 'r1' } })
      expect(await order('r1')).toMatchObject({ kind: 'refused' })
      expect(await order('r2')).toMatchObject({ kind: 'ordered', delivery: { replayId: 'r2' } })
      expect((await stored(key)).history).toHaveLength(3)
    })

    it('a delivery is created for an event from before its destination, and ordered if it exists', async () => {
      const event = await insert([])
      const destination = `d-${randomUUID()}`
      const { id, source, eventId, eventType } = event
      const key = { source, eventId, destination }
      const times = { receivedAt: NOW, endsAt: END }
      const delivery: Delivery = { ...key, id, eventType, status: 'PENDING', attempts: 0, history: [], ...times }
      const order = { ...ORDER, replayId: 'r1' }
      const expected = {
        ...delivery,
        dueAt: order.at,
        orderedAt: order.at,
        replayId: 'r1',
        history: [{ at: order.at, status: 'PENDING', user: 'admin', reason: 'again' }],
      }
      expect(await stores.desk.create(delivery, order)).toEqual({ kind: 'ordered', delivery: expected })
      expect(await stores.desk.of(event)).toEqual([expected])
      expect(await dueHint(key, LATER)).toEqual({ hint: { ...key, n: 0 }, sweepAt: order.at })
      expect(await stores.desk.create(delivery, order)).toEqual({ kind: 'refused', delivery: expected })
      const other = { ...ORDER, replayId: 'r2' }
      expect(await stores.desk.create(delivery, other)).toMatchObject({ kind: 'ordered', delivery: { replayId: 'r2' } })
    })
  })

  describe('returns the deliveries of one destination, in pages, earliest first', () => {
    it('of one destination, in pages, earliest first', async () => {
      const destination = `d-${randomUUID()}`
      const times = Array.from({ length: 130 }, (_row, index) => later((index * 37) % 130))
      for (const sweepAt of times) {
        const deliverTo = [destination, 'x'].map((one) => ({ destination: one, sweepAt }))
        await stores.events.insert(newEvent(), {}, { deliverTo })
      }
      const pages: number[] = []
      const found: Date[] = []
      for await (const page of stores.due.dueBy(destination, later(119))) {
        pages.push(page.length)
        found.push(...page.map(({ sweepAt }) => sweepAt))
      }
      expect(found).toEqual(Array.from({ length: 120 }, (_row, index) => later(index)))
      expect(pages).toEqual([100, 20])
      expect(await stores.due.waiting(destination)).toEqual({ count: 130, oldest: NOW, ending: [] })
    })

    it('with those that end by a time, a hundred at most', async () => {
      const destination = `d-${randomUUID()}`
      const [early, late] = [later(-1), NOW]
      const deliverTo = [{ destination, sweepAt: NOW }]
      const soon = newEvent({ receivedAt: early })
      await stores.events.insert(soon, {}, { deliverTo })
      for (let index = 0; index < 101; index++)
        await stores.events.insert(newEvent({ receivedAt: late }), {}, { deliverTo })
      const endingBy = async (time: Date) => (await stores.due.waiting(destination, time)).ending
      expect(await endingBy(new Date(END.getTime() - 1001))).toEqual([])
      const hint = { source: soon.source, eventId: soon.eventId, destination, n: 0 }
      expect(await endingBy(new Date(END.getTime() - 1000))).toEqual([{ hint, sweepAt: NOW }])
      expect(await endingBy(END)).toHaveLength(100)
    })

    it('a delivery is scanned later unless it has had another try, and its due time stays', async () => {
      const key = await fresh()
      await stores.due.postponeScan({ ...key, n: 1 }, later(500))
      expect(await dueHint(key, LATER)).toMatchObject({ sweepAt: later(LEASE) })
      await stores.due.postponeScan({ ...key, n: 0 }, later(500))
      expect(await dueHint(key, later(499))).toBeUndefined()
      expect(await dueHint(key, LATER)).toMatchObject({ hint: { n: 0 }, sweepAt: later(500) })
      expect((await stored(key)).dueAt).toEqual(NOW)
      expect(await stores.due.waiting(key.destination)).toEqual({ count: 1, oldest: NOW, ending: [] })
    })
  })
})
