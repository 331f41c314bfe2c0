import { describe, expect, it } from 'vitest'
import { disabled, type Health } from '../../../lib/deliver/breaker.ts'
import type { DeliveryHint } from '../../../lib/deliver/delivery.ts'
import { EXPIRED, scanDeliveries } from '../../../lib/deliver/scan.ts'
import { MessageRefused } from '../../../lib/runtime/message-text.ts'
import { recordingAnnouncer } from '../../support/fakes/announcer.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { CRM, EVENT } from '../../support/fakes/deliveries.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryDeliveries } from '../../support/fakes/memory-deliveries.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

const at = (milliseconds: number) => new Date(START.getTime() + milliseconds)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const LATER = at(10 * 3_600_000)

/** So many deliveries of the CRM that wait since the start, and the scan. */
function waiting(count: number, names: readonly string[] = ['crm']) {
  const clock = fixedClock()
  const memory = new MemoryDeliveries()
  const sent: DeliveryHint[] = []
  const metrics = recordingMetrics()
  const deaths = recordingAnnouncer()
  for (let index = 0; index < count; index++) {
    const event = { ...EVENT, eventId: `event-${index}` }
    memory.add(
      event,
      names.map((destination) => ({ destination, sweepAt: START })),
    )
  }
  const parts = {
    destinations: names.map((name) => ({ ...CRM, name })),
    store: memory.store,
    due: memory.due,
    health: memory.healthStore,
    deaths,
    queue: { send: async (hint: DeliveryHint) => void sent.push(hint) },
    clock,
    metrics,
    log: recordingLog(),
  }
  return { clock, memory, sent, metrics, deaths, parts, scan: (deadline = LATER) => scanDeliveries(parts, deadline) }
}

const open = (present: Health): Health => ({ ...present, state: 'OPEN', since: at(0), probeAt: at(MINUTE) })

describe('the scan', () => {
  it('sends a hint for each due delivery, and no other before five minutes have passed', async () => {
    const { scan, sent, clock } = waiting(3)
    expect(await scan()).toEqual({ sent: 3 })
    expect(sent.map(({ eventId, n }) => [eventId, n])).toEqual([
      ['event-0', 0],
      ['event-1', 0],
      ['event-2', 0],
    ])
    clock.advance(5 * MINUTE - 1)
    expect(await scan()).toEqual({ sent: 0 })
    clock.advance(1)
    expect(await scan()).toEqual({ sent: 3 })
  })

  it('measures the age of the oldest delivery; what waits for a disabled destination has none', async () => {
    const { scan, metrics, clock, memory } = waiting(1, ['crm', 'ledger'])
    clock.advance(MINUTE)
    await memory.healthStore.change('crm', open)
    await memory.healthStore.change('ledger', (health) => disabled(health, { at: at(0), user: 'admin' }))
    await scan()
    expect(metrics.measured).toEqual([
      ['OldestDeliveryAge', MINUTE, { destination: 'crm' }],
      ['OldestDeliveryAge', 0, { destination: 'ledger' }],
    ])
    expect(metrics.counted).toEqual([])
  })

  it('notes each destination once, so that its deliveries are found after its removal', async () => {
    const { scan, memory } = waiting(0)
    await scan()
    await scan()
    expect(memory.health.get('crm')).toMatchObject({ state: 'CLOSED', version: 1 })
  })

  it.each([
    ['disabled', (health: Health) => disabled(health, { at: at(0), user: 'admin' })],
    ['requested a pause', (health: Health): Health => ({ ...health, heldUntil: at(MINUTE) })],
  ])('skips a destination that has %s', async (_name, change) => {
    const { scan, memory } = waiting(3)
    await memory.healthStore.change('crm', change)
    expect(await scan()).toEqual({ sent: 0 })
  })

  it('starts no page after its deadline', async () => {
    const { scan } = waiting(250)
    expect(await scan(START)).toEqual({ sent: 100 })
  })
})

describe('a hint that its queue never takes', () => {
  const refusing = (eventId: string, { parts }: ReturnType<typeof waiting>, change = {}) => {
    const queue = {
      send: async (hint: DeliveryHint) => {
        if (hint.eventId === eventId) throw new MessageRefused('InvalidMessageContents')
        return parts.queue.send(hint)
      },
    }
    return scanDeliveries({ ...parts, queue, ...change }, LATER)
  }
  const key = { source: EVENT.source, eventId: 'event-1', destination: 'crm' }

  it('ends its delivery with the reason, is counted and told, and stops no other', async () => {
    const world = waiting(3)
    await refusing('event-1', world)
    expect(world.sent.map(({ eventId }) => eventId)).toEqual(['event-0', 'event-2'])
    expect(world.memory.find(key)).toMatchObject({ status: 'DEAD', answer: 'InvalidMessageContents', attempts: 0 })
    expect(world.metrics.counted).toEqual([
      ['MessageRefused', {}],
      ['DeadDeliveries', { destination: 'crm' }],
    ])
    expect(world.deaths.told).toMatchObject([{ ...key, status: 'DEAD', answer: 'InvalidMessageContents' }])
    world.clock.advance(10 * MINUTE)
    await refusing('event-1', world)
    expect(world.metrics.counted).toHaveLength(2)
  })

  it('of a probe ends its delivery, and the next probe is another one', async () => {
    const world = waiting(2)
    await world.memory.healthStore.change('crm', open)
    world.clock.advance(MINUTE)
    expect(await refusing('event-0', world)).toEqual({ sent: 0 })
    expect(world.memory.find({ ...key, eventId: 'event-0' })).toMatchObject({ status: 'DEAD' })
    world.clock.advance(MINUTE)
    expect(await refusing('event-0', world)).toEqual({ sent: 1 })
    expect(world.sent).toMatchObject([{ eventId: 'event-1', isProbe: true }])
  })
})

describe('a delivery that waits while its event ends', () => {
  const disable = (health: Health) => disabled(health, { at: at(0), user: 'admin' })
  const keyOf = (eventId: string) => ({ source: EVENT.source, eventId, destination: 'crm' })

  /** Deliveries of events that end at these times, named by them. */
  function ending(...times: readonly number[]) {
    const world = waiting(0)
    for (const time of times)
      world.memory.add({ ...EVENT, eventId: `${time}`, endsAt: at(time) }, [{ destination: 'crm', sweepAt: START }])
    const statuses = () => times.map((time) => world.memory.find(keyOf(`${time}`))?.status)
    return { ...world, statuses }
  }

  it('for a disabled destination is dead a day before, with the reason, is counted where no alarm looks, and told; no other is', async () => {
    const world = ending(DAY, DAY + 1, 90 * DAY)
    await world.memory.healthStore.change('crm', disable)
    await world.scan()
    expect(world.statuses()).toEqual(['DEAD', 'PENDING', 'PENDING'])
    expect(world.memory.find(keyOf(`${DAY}`))).toMatchObject({ answer: EXPIRED, attempts: 0, dueAt: undefined })
    const told = { destination: 'crm' }
    expect(world.metrics.counted).toEqual([['ExpiredDeliveries', told]])
    expect(world.deaths.told).toMatchObject([{ ...keyOf(`${DAY}`), status: 'DEAD', answer: EXPIRED }])
    world.clock.advance(1)
    await world.scan()
    expect(world.statuses()).toEqual(['DEAD', 'DEAD', 'PENDING'])
    expect(world.deaths.told).toHaveLength(2)
    expect(world.sent).toEqual([])
  })

  it.each<[string, (health: Health) => Health]>([
    ['accepts', (health) => health],
    ['is tried again, because its circuit is open', open],
    ['requested a pause', (health) => ({ ...health, heldUntil: at(MINUTE) })],
  ])('for a destination that %s is left as it is', async (_, change) => {
    const world = ending(MINUTE)
    await world.memory.healthStore.change('crm', change)
    await world.scan()
    expect(world.statuses()).toEqual(['PENDING'])
    expect(world.deaths.told).toEqual([])
  })

  it('is not ended while a try is under way, until its lease is over', async () => {
    const world = ending(DAY)
    const lease = { owner: 'me', now: START, leaseUntil: at(MINUTE) }
    await world.memory.store.claim({ ...keyOf(`${DAY}`), n: 0, ...lease })
    await world.memory.healthStore.change('crm', disable)
    await world.scan()
    expect(world.statuses()).toEqual(['SENDING'])
    world.clock.advance(MINUTE + 1)
    await world.scan()
    expect(world.statuses()).toEqual(['DEAD'])
  })

  it('is ended by one of the scans of the day, of any number of deliveries', async () => {
    const world = ending(...Array.from({ length: 250 }, (_, index) => index + 1))
    await world.memory.healthStore.change('crm', disable)
    const dead: number[] = []
    for (let scans = 0; scans < 3; scans++) {
      await world.scan()
      dead.push(world.statuses().filter((status) => status === 'DEAD').length)
    }
    expect(dead).toEqual([100, 200, 250])
  })
})

describe('an open circuit', () => {
  it('allows one delivery a minute, for any number of waiting deliveries and scans', async () => {
    const { scan, sent, memory, clock } = waiting(50)
    await memory.healthStore.change('crm', open)
    const counts: number[] = []
    for (let second = 0; second < 180; second += 20) {
      counts.push((await scan()).sent)
      clock.advance(20_000)
    }
    expect(counts).toEqual([0, 0, 0, 1, 0, 0, 1, 0, 0])
    expect(sent.every(({ isProbe }) => isProbe)).toBe(true)
  })

  it('D09 when it closes with 10,000 waiting deliveries: each gets a hint within minutes, and none a second one', async () => {
    const { scan, sent, clock } = waiting(10_000)
    const perScan: number[] = []
    for (let minute = 0; minute < 5; minute++) {
      perScan.push((await scan()).sent)
      clock.advance(MINUTE)
    }
    expect(perScan).toEqual([3000, 3000, 3000, 1000, 0])
    expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(10_000)
    expect(sent).toHaveLength(10_000)
  })
})
