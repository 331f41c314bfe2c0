import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MINUTE,
  minuteOf,
  nextPermitOpensAt,
  permitOpensAt,
  permitsOpenAt,
  spareOf,
  type Tally,
  tallyIn,
  timeIn,
} from '../../../../lib/webhooks/rate/lease.ts'

const M = 29_000_000
const START = M * MINUTE

function tally(changes: Partial<Tally> = {}): Tally {
  return { minute: M, before: 0, taken: 0, spare: 0, ...changes }
}

describe('a number opens', () => {
  it.each([
    ['at once, with nothing before', 0, 100, 0],
    ['at once, with space beside the earlier ones', 40, 60, 0],
    ['when one call of the minute before has left the window', 100, 1, 600],
    ['when half of them have', 100, 50, 30_000],
    ['for the last one, when all have', 100, 100, 60_000],
    ['in whole milliseconds, not too early', 7, 96, 25_715],
  ])('%s', (_, before, number, milliseconds) => {
    expect(permitOpensAt({ minute: M, before }, number, 100)).toBe(START + milliseconds)
  })

  it('exactly when it and the weighted calls of the minute before are within the limit', () => {
    const minute = fc.record({
      limit: fc.integer({ min: 1, max: 1000 }),
      before: fc.nat(1000),
      elapsed: fc.nat(MINUTE - 1),
    })
    fc.assert(
      fc.property(minute, ({ limit, before, elapsed }) => {
        fc.pre(before <= limit)
        const numbers = Array.from({ length: limit }, (_, index) => index + 1)
        const within = numbers.filter((number) => before * (MINUTE - elapsed) + number * MINUTE <= limit * MINUTE)
        const open = numbers.filter((number) => permitOpensAt({ minute: M, before }, number, limit) <= START + elapsed)
        expect(open).toEqual(within)
        expect(permitsOpenAt({ minute: M, before }, START + elapsed, limit)).toBe(within.length)
      }),
    )
  })
})

describe('the next number opens', () => {
  it('in the same minute while one is left', () => {
    expect(nextPermitOpensAt(tally({ before: 100, taken: 9 }), 100)).toBe(START + 6000)
  })

  it('in the next minute, as soon as one of its calls has left the window', () => {
    expect(nextPermitOpensAt(tally({ taken: 100 }), 100)).toBe(START + MINUTE + 600)
    expect(nextPermitOpensAt(tally({ taken: 1 }), 1)).toBe(START + 2 * MINUTE)
  })
})

describe('the tally of a minute', () => {
  it.each<[string, Tally | undefined, Tally]>([
    ['is empty for an unknown caller', undefined, tally()],
    ['stays unchanged', tally({ before: 3, taken: 5, spare: 2 }), tally({ before: 3, taken: 5, spare: 2 })],
    ['keeps the minute before, without unused numbers', tally({ minute: M - 1, taken: 9 }), tally({ before: 7 })],
    ['drops earlier minutes', tally({ minute: M - 2, before: 8, taken: 9 }), tally()],
    ['may be ahead of a slow clock', tally({ minute: M + 1, taken: 1 }), tally({ minute: M + 1, taken: 1 })],
    ['is not far ahead, for any stored value', tally({ minute: M + 2, taken: 100 }), tally()],
  ])('%s', (_, seen, wanted) => {
    expect(tallyIn(M, seen, 2)).toEqual(wanted)
  })
})

it('a clock that is behind counts as the beginning of the minute', () => {
  expect([timeIn({ minute: M }, START - 5), timeIn({ minute: M }, START + 5)]).toEqual([START, START + 5])
})

it('a minute is counted from the epoch', () => {
  expect([minuteOf(0), minuteOf(MINUTE - 1), minuteOf(MINUTE)]).toEqual([0, 0, 1])
})

it('a tenth of the limit may be unused', () => {
  expect([1, 9, 10, 100, 105].map(spareOf)).toEqual([0, 0, 1, 10, 10])
})
