import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoOrders, dynamoPayments } from '../../lib/adapters/dynamodb/changed-rows.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import type { OrderChange } from '../../lib/orders/order.ts'
import type { PaymentChange } from '../../lib/payments/payment.ts'
import { millisecondsOf } from '../../lib/runtime/ids.ts'
import { applyEffects } from '../../lib/webhooks/apply.ts'
import { hintOf, type WebhookEvent } from '../../lib/webhooks/event.ts'
import type {
  ChangedFilter,
  ChangedPosition,
  ChangedRows,
  MadeOrder,
  MadePayment,
} from '../../lib/webhooks/operators/changed.ts'
import type { EventStore } from '../../lib/webhooks/place.ts'
import type { Plan } from '../../lib/webhooks/source.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)

function eventAt(seconds: number, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const made = {
    status: 'PROCESSED',
    receivedAt: at(seconds),
    processedAt: at(seconds),
    nextRetryAt: undefined,
  } as const
  return failedEvent({ ...made, eventId: randomUUID(), errorMessage: undefined, ...changes })
}

function paymentChange(changes: Partial<PaymentChange> = {}): PaymentChange {
  return { transactionId: randomUUID(), status: 'COMPLETED', currency: 'EUR', amount: '10.00', ...changes }
}

function orderChange(changes: Partial<OrderChange> = {}): OrderChange {
  return { orderId: randomUUID(), status: 'SHIPPED', ...changes }
}

describe(`in ${ENGINE}`, () => {
  const store = startedStore()
  let events: EventStore
  let payments: ChangedRows<MadePayment>
  let orders: ChangedRows<MadeOrder>
  let requests = 0

  beforeAll(() => {
    const { documents } = store
    const counted = {
      send: (...args: Parameters<typeof documents.send>) => {
        requests++
        return documents.send(...args)
      },
    } as typeof documents
    events = dynamoEventStore(counted, TABLES)
    payments = dynamoPayments(documents, TABLES.payments)
    orders = dynamoOrders(documents, TABLES.orders)
  })

  /** What the intake does with an event; the number of requests that it took. */
  async function take(plan: Plan, event = eventAt(0)): Promise<number> {
    const before = requests
    await applyEffects(event, plan, recordingLog(), (effects) => events.insert({ ...event, ...effects }, effects))
    return requests - before
  }

  it('a payment has its exact amount, the time of its last change and its events', async () => {
    const payment = paymentChange({ amount: '12345678901234567890123456789012345.670', customerId: 'c' })
    const [first, late, last] = [eventAt(1, { eventId: 'a/b ü' }), eventAt(2), eventAt(3)]
    await take({ payment }, first)
    await take({ payment: { ...payment, status: 'FAILED' } }, late)
    await take({ payment: { ...payment, status: 'REFUNDED' } }, last)
    const found = await payments.find(payment.transactionId)
    expect(found).toMatchObject({ ...payment, status: 'REFUNDED', id: first.id })
    expect(millisecondsOf(found?.changeId ?? 0n)).toBe(at(3).getTime())
    const cause = ({ source, eventId, eventType }: WebhookEvent) => ({ source, eventId, eventType })
    expect(found?.events).toEqual([
      { ...cause(first), outcome: 'applied', at: at(1) },
      { ...cause(late), outcome: 'superseded', at: at(2) },
      { ...cause(last), outcome: 'applied', at: at(3) },
    ])
  })

  it('a late event changes a payment only if it adds something', async () => {
    const { amount: _amount, ...bare } = paymentChange({ status: 'REFUNDED' })
    const { transactionId } = bare
    const movedAt = async () => millisecondsOf((await payments.find(transactionId))?.changeId ?? 0n)
    await take({ payment: bare }, eventAt(1))
    await take({ payment: { ...bare, status: 'FAILED' } }, eventAt(2))
    expect(await movedAt()).toBe(at(1).getTime())
    await take({ payment: { ...bare, status: 'COMPLETED', amount: '7.50' } }, eventAt(3))
    expect(await movedAt()).toBe(at(3).getTime())
    expect(await payments.find(transactionId)).toMatchObject({ status: 'REFUNDED', amount: '7.50' })
  })

  it('a replayed event is noted with the time of the replay', async () => {
    const order = orderChange()
    const event = failedEvent({ eventId: randomUUID(), nextRetryAt: at(0) })
    await events.insert(event, {})
    const retries = dynamoRetryStore(store.documents, TABLES)
    const claim = { ...hintOf(event), n: 1, owner: 'me', now: at(1), leaseUntil: at(60), maxAttempts: 3 }
    expect(await retries.claim(claim)).toMatchObject({ kind: 'claimed' })
    await retries.finish(claim, event, { order: { mode: 'advance', change: order } }, at(9))
    expect((await orders.find(order.orderId))?.events).toMatchObject([{ eventId: event.eventId, at: at(9) }])
  })

  it('P18 an order keeps the last 10 to 20 of its events, and needs a second request for one event in ten', async () => {
    const order = orderChange()
    const taken: string[] = []
    const costs: number[] = []
    for (let number = 0; number < 45; number++) {
      const event = eventAt(number)
      taken.push(event.eventId)
      costs.push(await take({ order: { ...order, carrier: `c${number}` } }, event))
      const ids = (await orders.find(order.orderId))?.events.map(({ eventId }) => eventId) ?? []
      expect(ids).toEqual(taken.slice(-ids.length))
      expect(ids.length).toBeGreaterThanOrEqual(Math.min(10, taken.length))
      expect(ids.length).toBeLessThanOrEqual(20)
    }
    expect(costs.filter((cost) => cost > 1)).toEqual([2, 2, 2])
    expect(await orders.find(order.orderId)).toMatchObject({ carrier: 'c44' })
  })

  it('an order with a full list still recognizes a late event', async () => {
    const order = orderChange({ timestamp: '2026-01-02T03:04:05.678000005' })
    for (let number = 0; number < 20; number++) await take({ order }, eventAt(number))
    const late = eventAt(30)
    await take({ order: { ...order, status: 'PENDING', timestamp: '2026-01-02T03:04:05.678000001' } }, late)
    const { status, events: causes = [] } = (await orders.find(order.orderId)) ?? {}
    expect(status).toBe('SHIPPED')
    expect(causes.length).toBe(10)
    expect(causes.at(-1)).toMatchObject({ eventId: late.eventId, outcome: 'superseded' })
  })

  it('fifty parallel events for one full order lose nothing', async () => {
    const order = orderChange()
    for (let number = 0; number < 19; number++) await take({ order }, eventAt(number))
    const many = Array.from({ length: 50 }, (_, number) => eventAt(100 + number))
    const taken = await Promise.all(
      many.map((event) =>
        take({ order }, event).then(
          () => event.eventId,
          () => undefined,
        ),
      ),
    )
    const { events: causes = [] } = (await orders.find(order.orderId)) ?? {}
    expect(causes.length).toBeLessThanOrEqual(20)
    expect(causes.length).toBeGreaterThanOrEqual(10)
    for (const { eventId } of causes.slice(-10)) expect(taken).toContain(eventId)
  })

  it('an unknown row is not found, nor is a row with an impossible key', async () => {
    expect(await payments.find(randomUUID())).toBeUndefined()
    expect(await payments.find('x'.repeat(5000))).toBeUndefined()
    expect(await orders.find('..')).toBeUndefined()
  })

  describe('a list', () => {
    const customerId = randomUUID()
    const made: string[] = []

    beforeAll(async () => {
      for (let number = 0; number < 30; number++) {
        const payment = paymentChange({
          transactionId: `${customerId}/${number}`,
          customerId,
          orderId: `${customerId}-${number % 3}`,
          status: number % 2 ? 'FAILED' : 'COMPLETED',
        })
        // Three each were changed within the same millisecond.
        await take({ payment }, eventAt(1000 + Math.floor(number / 3)))
        made.unshift(payment.transactionId)
      }
    })

    async function all(filter: ChangedFilter, limit: number): Promise<readonly MadePayment[]> {
      const rows: MadePayment[] = []
      let after: ChangedPosition | undefined
      do {
        const { found, next } = await payments.page(filter, after, limit)
        expect(found.length).toBeLessThanOrEqual(limit)
        rows.push(...found.map(({ row }) => row))
        after = next
      } while (after)
      return rows
    }

    it.each([1, 7, 30])('in pages of %i shows each row once, the last changed first', async (limit) => {
      const rows = await all({ customerId }, limit)
      expect(rows.map(({ transactionId }) => transactionId).sort()).toEqual(made.toSorted())
      const times = rows.map(({ changeId }) => millisecondsOf(changeId))
      expect(times).toEqual(times.toSorted((one, other) => other - one))
      expect(rows[0]).toMatchObject({ amount: '10.00', events: [{ outcome: 'applied' }] })
    })

    it('shows only rows that match every part of a filter', async () => {
      const filter = { customerId, orderId: `${customerId}-1`, status: 'FAILED' }
      const rows = await all(filter, 3)
      expect(rows.length).toBe(5)
      for (const row of rows) expect(row).toMatchObject(filter)
    })

    it('shows a row first after it has changed again', async () => {
      const [oldest = ''] = made.slice(-1)
      await take({ payment: paymentChange({ transactionId: oldest, status: 'REFUNDED' }) }, eventAt(2000))
      const { found } = await payments.page({ customerId }, undefined, 1)
      expect(found[0]?.row).toMatchObject({ transactionId: oldest, status: 'REFUNDED' })
    })
  })
})
