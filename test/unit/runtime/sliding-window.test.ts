import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextOpensAt, openAt, opensAt } from '../../../lib/runtime/sliding-window.ts'

const START = 1_767_323_000_000

/** A window in which some of its time has passed, with no more before it than the limit. */
const windows = fc
  .record({ limit: fc.integer({ min: 1, max: 200 }), length: fc.integer({ min: 1, max: 86_400_000 }) })
  .chain(({ limit, length }) =>
    fc.record({
      limit: fc.constant(limit),
      window: fc.record({
        start: fc.constant(START),
        length: fc.constant(length),
        before: fc.nat(limit),
      }),
      elapsed: fc.nat(length - 1),
    }),
  )

describe('a sliding count', () => {
  it('may reach a number exactly when it and the weighted count of the window before do not exceed the limit', () => {
    fc.assert(
      fc.property(windows, ({ limit, window, elapsed }) => {
        const { length, before } = window
        const numbers = Array.from({ length: limit }, (_, index) => index + 1)
        const within = numbers.filter((number) => before * (length - elapsed) + number * length <= limit * length)
        expect(numbers.filter((number) => opensAt(window, number, limit) <= START + elapsed)).toEqual(within)
        expect(Math.max(0, openAt(window, START + elapsed, limit))).toBe(within.length)
      }),
    )
  })

  it('below the limit may grow when its next number is allowed, or else in the next window', () => {
    const window = { start: START, length: 1000, before: 10 }
    expect(nextOpensAt(window, 0, 10)).toBe(START + 100)
    expect(nextOpensAt(window, 9, 10)).toBe(START + 1000)
    expect(nextOpensAt(window, 10, 10)).toBe(START + 1100)
    expect(nextOpensAt({ ...window, before: 0 }, 9, 10)).toBe(START)
  })
})
