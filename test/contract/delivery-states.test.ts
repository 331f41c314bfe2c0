import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryStates } from '../../lib/adapters/dynamodb/delivery-states.ts'
import {
  dynamoDeliveryDesk,
  dynamoDeliveryStore,
  dynamoEventDeliveries,
} from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventList } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import type { DeliveryStatus } from '../../lib/deliver/delivery.ts'
import { type DeliveryQuery, listDestinationDeliveries } from '../../lib/deliver/operators/deliveries.ts'
import { replayedLists } from '../../lib/deliver/operators/lacking.ts'
import { replayTarget } from '../../lib/deliver/operators/order.ts'
import { firstIdAt } from '../../lib/runtime/ids.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import type { EventFilter, Position } from '../../lib/webhooks/operators/list.ts'
import type { ReplayedList, ReplayFilter } from '../../lib/webhooks/operators/replay.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { CRM } from '../support/fakes/deliveries.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const store = startedStore()

const FAR = new Date('2100-01-01T00:00:00.000Z')
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

/** A destination of its own, with deliveries of events that were received a second after each other. */
async function destination() {
  const name = `d-${randomUUID().slice(0, 8)}`
  const { documents } = store
  const events = dynamoEventStore(documents, { events: TABLES.events, deliveries: TABLES.deliveries, effects: [] })
  const deliveries = dynamoDeliveryStore(documents, TABLES.deliveries)
  const health = dynamoHealthStore(documents, TABLES.deliveries)
  const states = dynamoDeliveryStates(documents, TABLES)
  const desk = dynamoDeliveryDesk(documents, TABLES.deliveries)
  let count = 0

  async function add(status: DeliveryStatus, changes: { readonly source?: string; readonly eventType?: string } = {}) {
    count += 1
    const [receivedAt, eventId] = [later(count), `${name}-${count}`]
    const id = firstIdAt(receivedAt.getTime()) + BigInt(count)
    const event = failedEvent({ source: 'stripe', status: 'PROCESSED', ...changes, eventId, id, receivedAt })
    await events.insert(event, {}, { deliverTo: [{ destination: name, sweepAt: FAR }] })
    const key = { source: event.source, eventId, destination: name }
    const claim = { ...key, n: 0, owner: randomUUID(), now: later(1000), leaseUntil: later(2000) }
    const { delivery } = status === 'PENDING' ? {} : await deliveries.claim(claim)
    if (delivery && status === 'DELIVERED') await deliveries.deliver(claim, delivery, { answer: 'HTTP 204', at: START })
    const failure = { at: START, answer: 'HTTP 500', dueAt: undefined }
    if (delivery && status === 'DEAD') await deliveries.fail(claim, delivery, failure)
    return key
  }

  const listOf = (filter: ReplayFilter) =>
    replayedLists({ list: dynamoEventList(documents, TABLES.events), states, health })({ destination: name, filter })
  async function all(delivery: ReplayFilter['delivery'], filter: EventFilter = {}): Promise<readonly number[]> {
    const list = listOf({ ...filter, delivery })
    const given = { ...filter, q: filter.q ?? (delivery?.[0] === 'DEAD' ? undefined : name) }
    const ids = await idsOf(list, given)
    expect(await list.count(given)).toBe(ids.length)
    return numbersIn(ids)
  }
  const listed = (query: Partial<DeliveryQuery>) => {
    const parts = { destinations: [{ ...CRM, name }], list: dynamoEventList(documents, TABLES.events), states, health }
    return listDestinationDeliveries(parts, name, { limit: 50, ...query })
  }
  return { name, add, all, listOf, listed, health, desk }
}

async function idsOf(list: ReplayedList, filter: EventFilter, limit = 2): Promise<readonly string[]> {
  const found: string[] = []
  let after: Position | undefined
  do {
    const page = await list.find(filter, after, limit)
    found.push(...page.events.map(({ eventId }) => eventId))
    after = page.next
  } while (after)
  return found
}

const numbersIn = (ids: readonly string[]) => ids.map((id) => Number(id.split('-').at(-1)))

describe('the events whose delivery to a destination has a state, newest first', () => {
  it('are those of the state now, whatever the size of a page', async () => {
    const { add, all, health, name } = await destination()
    for (const status of ['DEAD', 'PENDING', 'DELIVERED', 'DEAD', 'SENDING', 'PENDING', 'DEAD'] as const)
      await add(status)
    expect(await all(['DEAD'])).toEqual([7, 4, 1])
    expect(await all(['DELIVERED'])).toEqual([3])
    expect(await all(['PENDING'])).toEqual([6, 2])
    expect(await all(['PARKED'])).toEqual([])
    expect(await all(['PENDING', 'DELIVERED'])).toEqual([6, 3, 2])
    await health.change(name, (present) => ({ ...present, state: 'DISABLED' }))
    expect(await all(['PARKED'])).toEqual([6, 2])
    expect(await all(['PENDING'])).toEqual([])
  })

  it('if dead, match by source, type and time, in the index as in the list of all events', async () => {
    const { add, all } = await destination()
    await add('DEAD', { eventType: 'a' })
    await add('DEAD', { source: 'github', eventType: 'a' })
    await add('DEAD', { eventType: 'b' })
    await add('DELIVERED', { eventType: 'a' })
    const filters: readonly (readonly [EventFilter, readonly number[]])[] = [
      [{}, [3, 2, 1]],
      [{ source: 'stripe' }, [3, 1]],
      [{ source: 'strip' }, []],
      [{ type: 'a' }, [2, 1]],
      [{ from: later(2) }, [3, 2]],
      [{ to: later(2) }, [2, 1]],
      [{ source: 'github', type: 'a', from: later(1), to: later(3) }, [2]],
    ]
    for (const [filter, expected] of filters) {
      expect(await all(['DEAD'], filter), JSON.stringify(filter)).toEqual(expected)
    }
  })

  it('are dead no more once they are ordered again, and dead with their payload', async () => {
    const { add, all, desk } = await destination()
    const [first, second] = [await add('DEAD'), await add('PENDING')]
    await desk.order(first, { at: later(3000), user: 'admin' })
    expect(await all(['DEAD'])).toEqual([])
    await dynamoEventDeliveries(store.documents, TABLES.deliveries).endAll(
      second,
      later(4000),
      'the payload was deleted',
    )
    expect(await all(['DEAD'])).toEqual([2])
  })
})

describe('the deliveries to a destination, newest first', () => {
  const numbersOf = ({ deliveries }: { readonly deliveries: readonly { readonly eventId: string }[] }) =>
    numbersIn(deliveries.map(({ eventId }) => eventId))

  it('have the event and the state of each, and are those of the states that are asked for', async () => {
    const { name, add, listed, health } = await destination()
    const source = [name]
    for (const status of ['DEAD', 'PENDING', 'DELIVERED', 'SENDING', 'DEAD'] as const)
      await add(status, { source: name, eventType: status === 'DEAD' ? 'a' : 'b' })
    const { deliveries } = await listed({ state: ['DEAD'], limit: 1 })
    expect(deliveries).toMatchObject([
      {
        source: name,
        eventId: `${name}-5`,
        type: 'a',
        receivedAt: '2026-01-02T03:04:10.000',
        destination: name,
        status: 'DEAD',
        answer: 'HTTP 500',
      },
    ])
    expect(numbersOf(await listed({ source }))).toEqual([5, 4, 3, 2, 1])
    expect(numbersOf(await listed({ source, state: ['SENDING', 'DEAD'] }))).toEqual([5, 4, 1])
    expect(numbersOf(await listed({ source, state: ['PENDING'] }))).toEqual([2])
    expect(numbersOf(await listed({ source, state: ['PARKED'] }))).toEqual([])
    expect(numbersOf(await listed({ state: ['DEAD'], type: ['b', 'a'], source: ['x', name], from: later(5) }))).toEqual(
      [5],
    )
    await health.change(name, (present) => ({ ...present, state: 'DISABLED' }))
    expect(numbersOf(await listed({ source, state: ['PARKED'] }))).toEqual([2])
  })

  it.each([[['DEAD']], [['DEAD', 'PENDING']]] as const)('%j have each once over pages of any size', async (state) => {
    const { name, add, listed } = await destination()
    for (let number = 1; number <= 5; number++) await add(number % 2 === 0 ? 'DELIVERED' : 'DEAD', { source: name })
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await listed({ state, source: [name], limit: 1, cursor })
      found.push(...numbersOf(page))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual([5, 3, 1])
  })
})

it('a list goes on where it was, while deliveries before and behind its cursor change their state', async () => {
  const { name, add, listed, desk } = await destination()
  const keys = []
  for (let number = 1; number <= 30; number++)
    keys.push(await add(number % 3 === 0 ? 'DELIVERED' : 'DEAD', { source: name }))
  for (const state of [['DEAD'], ['DEAD', 'PENDING']] as const) {
    const found: string[] = []
    let cursor: string | undefined
    let turn = 0
    do {
      const page = await listed({ state, source: [name], limit: 3, cursor })
      found.push(...page.deliveries.map(({ eventId }) => eventId))
      // Some that were listed and some that were not are ordered again, and new ones come.
      for (const index of [29 - turn, turn]) await desk.order(keys[index] as never, { at: later(3000), user: 'admin' })
      await add('DEAD', { source: name })
      cursor = page.nextCursor ?? undefined
      turn += 1
    } while (cursor)
    expect(new Set(found).size).toBe(found.length)
    const numbers = numbersIn(found)
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))
    // Those that stayed dead are all there.
    const stayed = Array.from({ length: 10 }, (_, index) => 11 + index).filter((number) => number % 3 !== 0)
    expect(numbers).toEqual(expect.arrayContaining(stayed))
  }
})

it('20 dead deliveries among 140 are ordered again by two workers at once, each once, and no other', async () => {
  const { name, add, listOf, desk } = await destination()
  for (let number = 1; number <= 140; number++) await add(number % 7 === 0 ? 'DEAD' : 'DELIVERED')
  const sent: string[] = []
  const log = recordingLog()
  const order = replayTarget({
    destinations: [{ ...CRM, name }],
    events: { head: async (key) => failedEvent({ ...key, endsAt: FAR }), find: async () => undefined },
    health: dynamoHealthStore(store.documents, TABLES.deliveries),
    desk,
    queue: { send: async ({ eventId }) => void sent.push(eventId) },
    audit: logAudit(log),
    log,
  })
  const replay = { destination: name, filter: { delivery: ['DEAD'] } } as const
  async function worker(): Promise<void> {
    const ids = await idsOf(listOf(replay.filter), {}, 6)
    for (const eventId of ids)
      await order({ source: 'stripe', eventId }, { at: later(9000), user: 'admin', replayId: 'r' }, replay)
  }
  await Promise.all([worker(), worker()])
  expect(sent).toHaveLength(20)
  expect(new Set(numbersIn(sent))).toEqual(new Set(Array.from({ length: 20 }, (_, index) => 7 * (index + 1))))
})
