import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../../lib/platform/clock.ts'
import { START } from '../../support/fakes/clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

it("the system's clock tells the system's time", () => {
  vi.useFakeTimers({ now: START })
  expect(systemClock.now()).toEqual(START)
})
