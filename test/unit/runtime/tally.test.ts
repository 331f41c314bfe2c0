import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Demand,
  demandOf,
  type Limit,
  nextOpensAt,
  opensAt,
  spareOf,
  type Tally,
  takeOnce,
  tallyIn,
  timeIn,
  windowAt,
} from '../../../lib/runtime/tally.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'

const LENGTH = 60_000
const LIMIT: Limit = { most: 100, length: LENGTH }
const W = 29_000_000
const START = W * LENGTH

function tally(changes: Partial<Tally> = {}): Tally {
  return { window: W, before: 0, taken: 0, spare: 0, ...changes }
}

/** A limit, and a time within a window; the limit may have been higher in the window before. */
const windows = fc
  .record({
    most: fc.integer({ min: 1, max: 1000 }),
    length: fc.oneof(fc.constant(LENGTH), fc.integer({ min: 1, max: 86_400_000 })),
  })
  .chain((limit) =>
    fc.record({
      limit: fc.constant(limit),
      window: fc.nat(100_000),
      before: fc.oneof({ weight: 4, arbitrary: fc.nat(limit.most) }, fc.nat(2 * limit.most)),
      elapsed: fc.nat(limit.length - 1),
    }),
  )

describe('a number opens', () => {
  it('beyond the end of the window, if it is above the limit', () => {
    expect(opensAt({ window: W, before: 100 }, 101, LIMIT)).toBeGreaterThan(START + LENGTH)
    expect(opensAt({ window: W, before: 0 }, 101, LIMIT)).toBeGreaterThan(START + LENGTH)
  })

  it('exactly when it and the weighted calls of the window before are within the limit', () => {
    fc.assert(
      fc.property(windows, ({ limit, window, before, elapsed }) => {
        const { most, length } = limit
        const now = window * length + elapsed
        const numbers = Array.from({ length: most }, (_, index) => index + 1)
        const within = numbers.filter((number) => before * (length - elapsed) + number * length <= most * length)
        expect(numbers.filter((number) => opensAt({ window, before }, number, limit) <= now)).toEqual(within)
        const { maximumTaken } = demandOf({ window, before, taken: 0, spare: 0 }, now, limit)
        expect(Math.max(0, maximumTaken + 1)).toBe(within.length)
      }),
    )
  })
})

describe('the next number opens', () => {
  it('in the same window while one is left', () => {
    expect(nextOpensAt(tally({ before: 100, taken: 9 }), LIMIT)).toBe(START + 6000)
    expect(nextOpensAt(tally({ before: 100, taken: 99 }), LIMIT)).toBe(START + LENGTH)
    expect(nextOpensAt(tally({ taken: 99 }), LIMIT)).toBe(START)
  })

  it('in the next window, as soon as one of its calls weighs nothing any more', () => {
    expect(nextOpensAt(tally({ taken: 100 }), LIMIT)).toBe(START + LENGTH + 600)
    expect(nextOpensAt(tally({ taken: 1 }), { ...LIMIT, most: 1 })).toBe(START + 2 * LENGTH)
  })
})

describe('the tally of a window', () => {
  it.each<[string, Tally | undefined, Tally]>([
    ['is empty for an unknown caller', undefined, tally()],
    ['stays unchanged', tally({ before: 3, taken: 5, spare: 2 }), tally({ before: 3, taken: 5, spare: 2 })],
    ['keeps the window before, without unused numbers', tally({ window: W - 1, taken: 9 }), tally({ before: 7 })],
    ['drops earlier windows', tally({ window: W - 2, before: 8, taken: 9 }), tally()],
    ['may be ahead of a slow clock', tally({ window: W + 1, taken: 1 }), tally({ window: W + 1, taken: 1 })],
    ['is not far ahead, for any stored value', tally({ window: W + 2, taken: 100 }), tally()],
  ])('%s', (_, seen, wanted) => {
    expect(tallyIn(W, seen, 2)).toEqual(wanted)
  })

  it('keeps all numbers of the window before, if none may be unused', () => {
    expect(tallyIn(W, tally({ window: W - 1, taken: 9 }))).toEqual(tally({ before: 9 }))
  })
})

it('a clock that is behind counts as the beginning of the window', () => {
  expect([-5, 5].map((elapsed) => timeIn({ window: W }, START + elapsed, LIMIT))).toEqual([START, START + 5])
})

it('a window is counted from the epoch', () => {
  expect([0, LENGTH - 1, LENGTH].map((now) => windowAt(now, LIMIT))).toEqual([0, 0, 1])
})

it('a tenth of the limit may be unused', () => {
  expect([1, 9, 10, 100, 105].map((most) => spareOf({ ...LIMIT, most }))).toEqual([0, 0, 1, 10, 10])
})

describe('a demand', () => {
  it.each<[string, Tally, number, Demand]>([
    [
      'is for one number unless it is for some ahead',
      tally({ before: 97, taken: 40 }),
      0,
      { window: W, before: 97, count: 1, spare: 0, maximumTaken: 50, maximumSpare: 100 },
    ],
    [
      'is for one number and those ahead',
      tally({ before: 97, taken: 40 }),
      4,
      { window: W, before: 97, count: 5, spare: 4, maximumTaken: 50, maximumSpare: 6 },
    ],
    [
      'is for the last number',
      tally({ taken: 99 }),
      4,
      { window: W, before: 0, count: 1, spare: 0, maximumTaken: 99, maximumSpare: 100 },
    ],
  ])('%s', (_, given, ahead, wanted) => {
    expect(demandOf(given, START + LENGTH / 2, LIMIT, ahead)).toEqual(wanted)
  })

  it('is granted for a tally whose next number is open, and keeps to both limits', () => {
    const given = windows.chain(({ limit, ...window }) =>
      fc.record({
        limit: fc.constant(limit),
        window: fc.constant(window),
        taken: fc.nat(limit.most),
        spare: fc.nat(spareOf(limit)),
        ahead: fc.nat(12),
        share: fc.nat(spareOf(limit)),
      }),
    )
    fc.assert(
      fc.property(given, ({ limit, window: { window, before, elapsed }, taken, spare, ahead, share }) => {
        const [seen, mine] = [{ window, before, taken, spare }, Math.min(spare, share)]
        const now = window * limit.length + elapsed
        fc.pre(nextOpensAt(seen, limit) <= now)
        const demand = demandOf(seen, now, limit, ahead, mine)
        expect(demand.count).toBeGreaterThanOrEqual(1)
        expect(demand.count).toBeLessThanOrEqual(1 + ahead)
        expect(taken).toBeLessThanOrEqual(demand.maximumTaken)
        expect(demand.maximumTaken + demand.count).toBeLessThanOrEqual(limit.most)
        expect(opensAt(seen, demand.maximumTaken + 1, limit)).toBeLessThanOrEqual(now)
        expect(spare).toBeLessThanOrEqual(demand.maximumSpare)
        expect(spare + demand.spare).toBeLessThanOrEqual(spareOf(limit))
      }),
    )
  })
})

describe('what is demanded is asked for once,', () => {
  const EXPIRY = new Date((W + 2) * LENGTH)
  const NEXT: Demand = { window: W, before: 3, count: 5, spare: 4, maximumTaken: 90, maximumSpare: 5 }

  it.each<[string, Tally | undefined, Tally]>([
    ['of a name without a tally', undefined, tally({ before: 3, taken: 5, spare: 4 })],
    ['of the tally of the window', tally({ before: 3, taken: 7, spare: 1 }), tally({ before: 3, taken: 12, spare: 5 })],
  ])('%s, until two windows later', async (_, seen, wanted) => {
    const counter = new MemoryCounter()
    if (seen) counter.tallies.set('a', seen)
    expect(await takeOnce(counter, 'a', seen, NEXT, LIMIT)).toEqual({ kind: 'written', tally: wanted })
    expect([counter.asked.take, counter.requests, counter.expiry.get('a')]).toEqual([1, 1, EXPIRY])
  })

  it.each([
    ['before', W - 1],
    ['long before', W - 9],
    ['far ahead', W + 9],
  ])('and replaces the tally of a window %s, until two windows later', async (_, window) => {
    const counter = new MemoryCounter()
    const seen = tally({ window, taken: 3, spare: 1 })
    counter.tallies.set('a', seen)
    const wanted = tally({ before: 3, taken: 5, spare: 4 })
    expect(await takeOnce(counter, 'a', seen, NEXT, LIMIT)).toEqual({ kind: 'written', tally: wanted })
    expect([counter.asked.rollOver, counter.requests, counter.expiry.get('a')]).toEqual([1, 1, EXPIRY])
  })

  it('of no tally that has changed', async () => {
    const counter = new MemoryCounter()
    const stored = tally({ window: W - 1, taken: 4 })
    counter.tallies.set('a', stored)
    for (const seen of [undefined, tally({ window: W - 1, taken: 3 })]) {
      expect(await takeOnce(counter, 'a', seen, NEXT, LIMIT)).toEqual({ kind: 'refused', tally: stored })
    }
    expect([...counter.tallies]).toEqual([['a', stored]])
  })
})
