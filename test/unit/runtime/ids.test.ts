import { describe, expect, it } from 'vitest'
import { clockIds } from '../../../lib/runtime/ids.ts'
import { fixedClock } from '../../support/fakes/clock.ts'

describe('an ordered id', () => {
  it('is later than every id of an earlier millisecond', () => {
    const clock = fixedClock()
    const ids = clockIds(clock)
    const made = Array.from({ length: 50 }, () => {
      clock.advance(1)
      return ids.ordered()
    })
    expect(made).toEqual(made.toSorted((one, other) => (one < other ? -1 : 1)))
    expect(new Set(made).size).toBe(50)
  })

  it.each(['1970-01-01T00:00:00.001Z', '2026-01-02T03:04:05.678Z', '2109-05-15T07:35:11.103Z'])(
    'is a positive 63-bit number at %s',
    (instant) => {
      const id = clockIds(fixedClock(new Date(instant))).ordered()
      expect(id > 0n && id < 2n ** 63n).toBe(true)
    },
  )

  it('contains its millisecond', () => {
    const clock = fixedClock()
    expect(Number(clockIds(clock).ordered() >> 21n)).toBe(clock.now().getTime())
  })
})

describe('a unique id', () => {
  it('does not repeat', () => {
    const ids = clockIds(fixedClock())
    expect(new Set(Array.from({ length: 100 }, () => ids.unique())).size).toBe(100)
  })
})
