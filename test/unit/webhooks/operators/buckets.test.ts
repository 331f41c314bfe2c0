import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketsOf } from '../../../../lib/webhooks/operators/counts.ts'

const at = (text: string) => new Date(`${text}Z`)

describe('the parts of a span', () => {
  it.each([
    ['a second', '2026-03-04T05:06:07', '2026-03-04T05:06:07.999', 1, 1],
    ['two minutes less a second', '2026-03-04T05:06:00', '2026-03-04T05:07:59', 1, 120],
    ['two minutes', '2026-03-04T05:06:00', '2026-03-04T05:08:00', 5, 25],
    ['a day', '2026-03-04T05:06:07', '2026-03-05T05:06:07', 900, 97],
    ['a year', '2026-03-04T05:06:07', '2027-03-04T05:06:07', 604_800, 54],
    ['all times', '0001-01-01T00:00', '9999-12-31T23:59:59.999', 2_129_500_800, 119],
    ['the time before 1970', '0001-01-01T00:00', '1969-12-31T23:59:59.999', 1, 0],
  ])('%s', (_, from, to, seconds, count) => {
    const buckets = bucketsOf(at(from), at(to))
    expect({ seconds: buckets.seconds, count: buckets.starts.length }).toEqual({ seconds, count })
  })

  it('are at most 120, without a gap, and contain its first and its last moment', () => {
    const moment = fc.nat({ max: 253_402_300_799_999 })
    fc.assert(
      fc.property(moment, fc.oneof(moment, fc.nat({ max: 10_000_000 })), (from, length) => {
        const { seconds, starts } = bucketsOf(new Date(from), new Date(from + length))
        const milliseconds = seconds * 1000
        const [first = Number.NaN] = starts
        expect(starts.length).toBeLessThanOrEqual(120)
        expect(starts).toEqual(starts.map((_, index) => first + index * milliseconds))
        expect(first).toBeLessThanOrEqual(from)
        expect(first + milliseconds).toBeGreaterThan(from)
        expect(starts.at(-1)).toBeLessThanOrEqual(from + length)
        expect((starts.at(-1) ?? 0) + milliseconds).toBeGreaterThan(from + length)
      }),
    )
  })
})
