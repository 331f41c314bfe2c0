import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUSY, MOVES } from './demand.ts'
import type { Deliveries } from './destination.ts'
import { DEPLOYED, type Limits } from './limits.ts'
import { simulate, type World } from './simulate.ts'
import type { Receiver, Service } from './tries.ts'
import { assertWhole } from './whole.ts'

/** Nothing of these refuses anything; a key has its bound all the same. */
const BOUNDLESS: Limits = { requestRate: 1e6, requestBurst: 1e6, concurrency: 1e6, warmUnits: 40_000 }

const LOAD = { perSecond: 100, seconds: 20, senders: 4 }

const HOUR = 3_600_000

function served(changes: Partial<Service & Receiver> = {}): Service & Receiver {
  const service = { name: 'crm', concurrency: 5, timeout: 15_000, giveUpAfter: 72 * HOUR } as const
  return { ...service, delays: [5000, 300_000, 1_800_000, 7_200_000], answerMilliseconds: 100, ...changes }
}

const one = ({ deliveries }: { readonly deliveries: readonly Deliveries[] }) => deliveries[0] as Deliveries

const span = fc.record({ from: fc.nat(30), to: fc.nat(1500) })

const destination = fc.record({
  name: fc.constantFrom('crm', 'mail'),
  concurrency: fc.integer({ min: 2, max: 20 }),
  timeout: fc.constantFrom(1000, 15_000),
  delays: fc.constantFrom([5000] as const, [5000, 300_000] as const),
  giveUpAfter: fc.integer({ min: 1, max: 72 }).map((hours) => hours * HOUR),
  answerMilliseconds: fc.integer({ min: 1, max: 3000 }),
  down: fc.option(span, { nil: undefined }),
})

const world = fc.record<World>({
  load: fc.record({
    perSecond: fc.nat(60),
    seconds: fc.nat(20),
    senders: fc.integer({ min: 2, max: 5 }),
    hotShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  }),
  limits: fc.record({
    requestRate: fc.nat(60),
    requestBurst: fc.nat(60),
    concurrency: fc.integer({ min: 4, max: 8 }),
    warmUnits: fc.integer({ min: 20, max: 400 }),
  }),
  destinations: fc.array(destination, { maxLength: 3 }),
  replay: fc.option(fc.record({ events: fc.nat(300), ratePerSecond: fc.integer({ min: 1, max: 1000 }) }), {
    nil: undefined,
  }),
  outage: fc.option(span, { nil: undefined }),
})

describe('in any world', () => {
  it('each received event is stored with its deliveries or was given up, and each delivery has an end', () => {
    fc.assert(
      fc.property(world, fc.nat(), (given, seed) => {
        const { sent, accepted, givenUp, deliveries, replayed } = simulate(given, seed)
        expect(sent).toBe(given.load.perSecond * given.load.seconds)
        expect(accepted + givenUp).toBe(sent)
        expect(replayed.events).toBe(given.replay?.events ?? 0)
        for (const { stored, delivered, dead } of deliveries)
          expect([stored, delivered + dead]).toEqual([accepted, accepted])
      }),
      { numRuns: 25 },
    )
  })

  it('the same seed brings the same outcome', () => {
    fc.assert(
      fc.property(world, fc.nat(), (given, seed) => {
        const [{ peakOf: _one, ...first }, { peakOf: _other, ...second }] = [
          simulate(given, seed),
          simulate(given, seed),
        ]
        expect(second).toEqual(first)
      }),
      { numRuns: 5 },
    )
  })
})

describe('the intake', () => {
  it('is accepted at once without limits', () => {
    expect(simulate({ load: LOAD, limits: BOUNDLESS })).toMatchObject({ acceptedAtFirst: 2000, lastAt: 19, givenUp: 0 })
  })

  it.each<[string, Partial<Limits>, Partial<Limits>]>([
    ['HTTP API', { requestRate: 100, requestBurst: 100 }, { requestRate: 99, requestBurst: 100 }],
    ['functions', { concurrency: 10 }, { concurrency: 9.9 }],
    ['payments', { warmUnits: 200 }, { warmUnits: 199 }],
  ])('is refused by %s just above its limit, and not at it', (part, enough, tooLittle) => {
    const refused = (limits: Partial<Limits>) => [
      ...simulate({ load: { ...LOAD, seconds: 2 }, limits: { ...BOUNDLESS, ...limits } }).refused.keys(),
    ]
    expect([refused(enough), refused(tooLittle)]).toEqual([[], [part]])
  })

  it('of one sender is bounded by its key, of several by the keys of the list', () => {
    const refused = (load: World['load']) => [...simulate({ load, limits: BOUNDLESS }).refused.keys()]
    const burst = { perSecond: 500, seconds: 1, senders: 1 }
    expect(refused(burst)).toEqual([])
    expect(refused({ ...burst, perSecond: 501 })).toEqual(['a key of events'])
    expect(refused({ ...burst, perSecond: 5000, senders: 50 })).toContain('a key of events.byTime')
  })

  it('that is never accepted is given up', () => {
    const load = { ...LOAD, seconds: 1 }
    expect(simulate({ load, limits: { ...DEPLOYED, concurrency: 0 } })).toMatchObject({ accepted: 0, givenUp: 100 })
  })

  it('is retried after an outage; nothing is given up, and nothing is stored during the outage', () => {
    const outage = { from: 0, to: 3600 }
    const outcome = simulate({ load: LOAD, limits: DEPLOYED, outage })
    expect(outcome).toMatchObject({ acceptedAtFirst: 0, accepted: 2000, givenUp: 0 })
    expect(outcome.lastAt).toBeGreaterThanOrEqual(3600)
  })

  it('gets a grown table after half an hour, with at most twice its former throughput', () => {
    const load = { perSecond: 60, seconds: 4000, senders: 4 }
    const { peakOf } = simulate({ load, limits: { ...BOUNDLESS, warmUnits: 100 } })
    expect(peakOf('events')).toBe(200)
  })
})

describe('a destination', () => {
  const load = { perSecond: 30, seconds: 100, senders: 4 }
  const beside = (changes: Partial<Service & Receiver>, limits: Limits = DEPLOYED) =>
    simulate({ load, limits, destinations: [served(changes)] })

  it('that keeps up has no late delivery, and each delivery takes one try', () => {
    expect(one(beside({}))).toMatchObject({ delivered: 3000, tries: 3000, lateAt: 0, dropped: 0 })
  })

  it('that is slow is served as fast as its concurrency allows, and no call to the intake is refused', () => {
    const outcome = beside({ answerMilliseconds: 1000 })
    const seconds = (3000 * (1000 + BUSY.delivery)) / 1000 / 5
    expect(outcome.refused.size).toBe(0)
    expect(one(outcome).lateAt).toBeGreaterThan(seconds - 120)
    expect(one(beside({ answerMilliseconds: 1000, concurrency: 50 })).lateAt).toBe(0)
  })

  it('that is down is tried once a minute, and receives every delivery once it is up', () => {
    const told = one(beside({ down: { from: 0, to: 3600 } }))
    expect(told).toMatchObject({ delivered: 3000, dead: 0 })
    expect(told.lateAt).toBeGreaterThan(3600)
    // Until the circuit opens, each fails at once and after five seconds.
    expect(told.tries - 3000).toBeLessThan(2 * 60 * 39 + 60)
  })

  it('that fails is tried again after its pauses, and no earlier', () => {
    const late = served({ down: { from: 0, to: 200 }, delays: [5000, 1_000_000] })
    const outcome = simulate({ load: { perSecond: 1, seconds: 1, senders: 1 }, limits: DEPLOYED, destinations: [late] })
    expect(one(outcome)).toMatchObject({ delivered: 1, tries: 3 })
    expect(one(outcome).lateAt).toBeGreaterThanOrEqual(1005)
  })

  it('that fails every try has its deliveries given up after the configured hours', () => {
    const down = { from: 0, to: 1e9 }
    const outcome = simulate({
      load: { perSecond: 1, seconds: 5, senders: 1 },
      limits: DEPLOYED,
      destinations: [served({ down, giveUpAfter: HOUR })],
    })
    expect(one(outcome)).toMatchObject({ stored: 5, delivered: 0, dead: 5 })
  })

  it('takes units and functions in addition to those of the intake', () => {
    const { peakOf } = beside({})
    const atOnce = MOVES.stored.deliveries + MOVES.firstTry.deliveries + MOVES.success.deliveries
    expect(peakOf('deliveries')).toBeGreaterThanOrEqual(30 * atOnce)
    expect(peakOf('functions')).toBeGreaterThan(30 * BUSY.intake)
  })
})

describe('a replay', () => {
  const load = { perSecond: 100, seconds: 60, senders: 50 }
  const replaying = (ratePerSecond: number, given: World['load'] = load) =>
    simulate({ load: given, limits: DEPLOYED, replay: { events: 6000, ratePerSecond } })

  it('keeps its rate, and is no faster than its function', () => {
    expect(replaying(100).replayed.lastAt).toBe(59)
    expect(replaying(1000).replayed.lastAt).toBeGreaterThan(6000 / 131 - 1)
  })

  it('takes no capacity from the intake of other senders, and takes what the key of its own sender lacks', () => {
    expect(replaying(100).refused.size).toBe(0)
    const { refused, givenUp } = replaying(100, { ...load, perSecond: 200, hotShare: 0.75 })
    expect([...refused.keys()]).toEqual(['a key of events'])
    expect(givenUp).toBe(0)
  })
})

describe('a world that breaks an invariant', () => {
  const told = { stored: 3, delivered: 1, dead: 1, tries: 2, dropped: 0, most: 1, lateAt: 0 }
  const whole = { sent: 5, accepted: 3, givenUp: 1, underWay: 1, rows: 3, destinations: [{ told, waiting: () => 1 }] }

  it('is distinguished from a valid one', () => {
    expect(() => assertWhole(whole)).not.toThrow()
  })

  it.each([
    ['a lost call', { underWay: 0 }, 'neither accepted, nor given up'],
    ['a 2xx without its row', { rows: 2 }, 'not stored'],
    [
      'a row without its delivery',
      { destinations: [{ told: { ...told, stored: 2 }, waiting: () => 0 }] },
      'without its',
    ],
    ['a lost delivery', { destinations: [{ told, waiting: () => 0 }] }, 'a delivery is lost'],
  ])('%s stops the simulation', (_, changes, message) => {
    expect(() => assertWhole({ ...whole, ...changes })).toThrow(message)
  })
})
