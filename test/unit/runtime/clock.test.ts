import { afterEach, expect, it, vi } from 'vitest'
import { earlierOf, steadyClock, systemClock } from '../../../lib/runtime/clock.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('the system clock returns the time of the system', () => {
  vi.useFakeTimers({ now: START })
  expect(systemClock.now()).toEqual(START)
})

it('the steady clock continues when the system clock is set to another time', () => {
  const before = steadyClock.now().getTime()
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  const passed = steadyClock.now().getTime() - before
  expect(passed).toBeGreaterThanOrEqual(0)
  expect(passed).toBeLessThan(60_000)
})

it('the earlier of two clocks is late, whichever is ahead', () => {
  const [one, other] = [fixedClock(), fixedClock()]
  const earlier = earlierOf(one, other)
  one.advance(3_600_000)
  expect(earlier.now()).toEqual(START)
  other.advance(1000)
  expect(earlier.now()).toEqual(other.now())
  one.advance(-2 * 3_600_000)
  expect(earlier.now()).toEqual(one.now())
})
