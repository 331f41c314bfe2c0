import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../lib/deliver/delivery.ts'
import { disableDestination } from '../../../../lib/deliver/operators/circuit.ts'
import {
  type DeliveryQuery,
  listDeliveries,
  listDestinationDeliveries,
} from '../../../../lib/deliver/operators/deliveries.ts'
import { redeliver, replayTarget } from '../../../../lib/deliver/operators/order.ts'
import type { EventKey } from '../../../../lib/webhooks/event.ts'
import type { EventFilter, Position } from '../../../../lib/webhooks/operators/list.ts'
import { START } from '../../../support/fakes/clock.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'

const EVENT = { source: 'test', eventId: 'event-1' }
const KEY = { ...EVENT, destination: 'crm' }
const ORDER = { user: 'admin', reason: 'once more' }
const NOW = '2026-01-02T03:04:05.000'

type Desk = Awaited<ReturnType<typeof operatorDesk>>

async function claimed({ memory, clock, add }: Desk) {
  add('crm')
  const now = clock.now()
  const claim = { ...KEY, owner: 'worker', now, leaseUntil: new Date(now.getTime() + 40_000), n: 0 }
  const { delivery } = await memory.store.claim(claim)
  if (delivery === undefined) throw new Error('nothing to claim')
  return { claim, delivery }
}

async function delivered(desk: Desk): Promise<void> {
  const { claim, delivery } = await claimed(desk)
  await desk.memory.store.deliver(claim, delivery, { answer: '200', at: desk.clock.now() })
}

describe('the deliveries of an event', () => {
  it('show the result of each try by destination', async () => {
    const desk = await operatorDesk()
    await delivered(desk)
    desk.add('bus')
    expect((await listDeliveries(desk.parts, EVENT)).deliveries).toEqual([
      { destination: 'bus', status: 'PENDING', attempts: 0, dueAt: NOW, deliveredAt: null, answer: null, history: [] },
      {
        destination: 'crm',
        status: 'DELIVERED',
        attempts: 1,
        dueAt: null,
        deliveredAt: NOW,
        answer: '200',
        history: [
          {
            ...{ at: NOW, status: 'DELIVERED', attempt: null, replayId: null, user: null, reason: null, ms: null },
            ...{ error: null, request: null, answer: null },
          },
        ],
      },
    ])
  })

  it('name for each other destination what keeps the event from it', async () => {
    const desk = await operatorDesk()
    desk.add('crm')
    const [crm, ledger, bus] = desk.parts.destinations
    if (!crm || !ledger || !bus) throw new Error('there are three destinations')
    const everything = { from: new Map([['*', ['**']]]) }
    const destinations = [
      crm,
      { ...ledger, ...everything, where: { json: { n: [1] }, proof: { level: ['full'] } } },
      { ...ledger, name: 'none', from: new Map([['stripe', ['**']]]) },
      { ...bus, ...everything },
    ]
    const { others } = await listDeliveries({ ...desk.parts, destinations }, EVENT)
    expect(others).toEqual([
      { destination: ledger.name, unmet: ['where.json.n'] },
      { destination: 'none', unmet: ['from'] },
      { destination: bus.name, unmet: [] },
    ])
  })

  it('are PARKED while they wait for a disabled destination, and only those', async () => {
    const desk = await operatorDesk()
    await delivered(desk)
    desk.add('bus')
    await disableDestination(desk.parts, 'bus', ORDER)
    await disableDestination(desk.parts, 'crm', ORDER)
    const statuses = (await listDeliveries(desk.parts, EVENT)).deliveries.map(({ status }) => status)
    expect(statuses).toEqual(['PARKED', 'DELIVERED'])
  })

  it('can be empty', async () => {
    const { parts } = await operatorDesk()
    expect(await listDeliveries(parts, EVENT)).toMatchObject({ deliveries: [] })
  })

  it.each([
    ['that does not exist', { source: 'test', eventId: 'event-2' }],
    ['with an impossible name', { source: '#destination', eventId: 'crm' }],
  ])('of an event %s are not found', async (_, key) => {
    const { parts } = await operatorDesk()
    await expect(listDeliveries(parts, key)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
  })
})

describe('the deliveries to a destination', () => {
  /** So many events, each with a delivery that waits. */
  function crowd(count: number) {
    const deliveries = Array.from({ length: count }, (_, index) => ({
      ...{ source: 'test', eventId: `e-${index}`, destination: 'crm', id: BigInt(count - index), eventType: 'TEST' },
      ...{ status: 'PENDING', receivedAt: START, attempts: 0, endsAt: START, history: [] },
    })) satisfies readonly Delivery[]
    const list = {
      async find(_filter: EventFilter, after: Position | undefined, limit: number) {
        const events = deliveries.filter(({ id }) => after === undefined || id < after.id).slice(0, limit)
        return { events, next: events.at(-1)?.id === 1n ? undefined : events.at(-1) }
      },
      count: async () => count,
    }
    const states = {
      of: async (events: readonly EventKey[]) => deliveries.filter((one) => events.includes(one)),
      dead: () => list,
      summaries: async () => [],
    }
    return async (query: Partial<DeliveryQuery>, name = 'crm') => {
      const { parts } = await operatorDesk()
      return listDestinationDeliveries({ ...parts, list, states }, name, { limit: 50, ...query })
    }
  }

  it('of a state that none has end a page after 1,000 events, and go on behind them', async () => {
    const ask = crowd(1001)
    const { deliveries, nextCursor } = await ask({ state: ['DELIVERED'] })
    expect([deliveries, nextCursor]).toEqual([[], expect.any(String)])
    expect(await ask({ state: ['DELIVERED'], cursor: nextCursor ?? '' })).toEqual({ deliveries: [], nextCursor: null })
  })

  it('are as many as the limit, and the last page has no cursor', async () => {
    const ask = crowd(3)
    const { deliveries, nextCursor } = await ask({ limit: 2 })
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['e-0', 'e-1'])
    expect(await ask({ limit: 2, cursor: nextCursor ?? '' })).toMatchObject({
      deliveries: [{ eventId: 'e-2' }],
      nextCursor: null,
    })
    expect(await ask({ limit: 3 })).toMatchObject({ nextCursor: null })
  })

  it('refuse the cursor of another state or destination', async () => {
    const ask = crowd(3)
    const { nextCursor } = await ask({ limit: 1, state: ['PENDING'] })
    const cursor = nextCursor ?? ''
    await expect(ask({ cursor })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(ask({ cursor, state: ['PENDING'] }, 'bus')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(ask({}, 'erp')).rejects.toMatchObject({ code: 'DESTINATION_NOT_FOUND' })
  })
})

describe('an operator orders the delivery of an event', () => {
  it('again, at once and with all tries', async () => {
    const desk = await operatorDesk()
    await delivered(desk)
    desk.clock.advance(1000)
    const at = '2026-01-02T03:04:06.000'
    expect(await redeliver(desk.parts, KEY, ORDER)).toMatchObject({
      destination: 'crm',
      status: 'PENDING',
      attempts: 0,
      dueAt: at,
      deliveredAt: null,
      history: [{ status: 'DELIVERED' }, { at, status: 'PENDING', error: null, user: 'admin', reason: 'once more' }],
    })
    expect(desk.sent).toEqual([{ hint: { ...KEY, n: 0 }, delayMs: 0 }])
    const told = { decision: 'redelivered', ...KEY, eventType: 'TEST', user: 'admin', note: 'once more' }
    expect(desk.log.of('audit')).toEqual([told])
  })

  it('that was accepted before the destination existed', async () => {
    const desk = await operatorDesk()
    expect(await redeliver(desk.parts, KEY, ORDER)).toMatchObject({ status: 'PENDING', attempts: 0, dueAt: NOW })
    const { id, eventType, receivedAt } = desk.event
    expect(desk.memory.find(KEY)).toMatchObject({ ...KEY, id, eventType, receivedAt, orderedAt: desk.clock.now() })
    expect(desk.sent).toHaveLength(1)
  })

  it('to a destination that is disabled, where it waits', async () => {
    const desk = await operatorDesk()
    await disableDestination(desk.parts, 'crm', ORDER)
    expect(await redeliver(desk.parts, KEY, ORDER)).toMatchObject({ status: 'PARKED' })
  })

  it('only when it is not under way', async () => {
    const desk = await operatorDesk()
    await claimed(desk)
    const underWay = { code: 'DELIVERY_UNDER_WAY', status: 409 }
    await expect(redeliver(desk.parts, KEY, ORDER)).rejects.toMatchObject(underWay)
    expect([desk.sent, desk.log.of('audit')]).toEqual([[], []])
    desk.clock.advance(40_001)
    expect(await redeliver(desk.parts, KEY, ORDER)).toMatchObject({ status: 'PENDING' })
  })

  it('even if the queue is down: the scan finds it', async () => {
    const desk = await operatorDesk()
    desk.queue.isDown = true
    expect(await redeliver(desk.parts, KEY, ORDER)).toMatchObject({ status: 'PENDING' })
    expect(await desk.memory.due.waiting('crm')).toMatchObject({ count: 1, oldest: desk.clock.now() })
    const cause = expect.objectContaining({ code: 'UNAVAILABLE' })
    expect(desk.log.of('hint not sent, the scan will find the row')).toEqual([{ ...KEY, cause }])
  })

  it.each([
    ['EVENT_NOT_FOUND', 'an event that nobody sent', { ...KEY, eventId: 'event-2' }],
    ['EVENT_NOT_FOUND', 'an event that there cannot be', { ...KEY, source: '#destination' }],
    ['DESTINATION_NOT_FOUND', 'a destination that there is not', { ...KEY, destination: 'erp' }],
  ])('or gets %s for %s', async (code, _, key) => {
    const desk = await operatorDesk()
    await expect(redeliver(desk.parts, key, ORDER)).rejects.toMatchObject({ code, status: 404 })
    expect([desk.sent, desk.memory.rows.size]).toEqual([[], 0])
  })
})

it('an event whose payload was deleted is not delivered again, by a replay either', async () => {
  const { parts, add, memory } = await operatorDesk()
  add('crm')
  const head = await parts.events.head(EVENT)
  const events = { ...parts.events, head: async () => head && { ...head, payloadDeletedAt: new Date(0) } }
  await expect(redeliver({ ...parts, events }, KEY, ORDER)).rejects.toMatchObject({ code: 'PAYLOAD_MISSING' })
  const order = { ...ORDER, at: new Date(0), replayId: 'r' }
  await replayTarget({ ...parts, events })(EVENT, order, { destination: 'crm', filter: {} })
  expect([...memory.rows.values()].map(({ delivery }) => delivery.orderedAt)).toEqual([undefined])
})
