import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarmAt, systemTimers, timersOf } from '../../../lib/runtime/async.ts'
import { systemClock } from '../../../lib/runtime/time.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

describe('timers', () => {
  const DAY = 86_400_000

  describe('a timer', () => {
    it.each([0, 24 * DAY, 365 * DAY])('of %i ms runs once, and not before', (delay) => {
      const time = virtualTime()
      const slices: number[] = []
      const timers = timersOf((run, milliseconds) => {
        slices.push(milliseconds)
        return time.timers.after(milliseconds, run)
      })
      const run = vi.fn()
      timers.after(delay, run)
      time.pass(Math.max(0, delay - 1))
      if (delay > 0) expect(run).not.toHaveBeenCalled()
      time.pass(2 * DAY)
      expect(run).toHaveBeenCalledOnce()
      expect(Math.max(...slices)).toBeLessThan(2 ** 31)
    })

    it('that is canceled in its second part does not run', () => {
      const time = virtualTime()
      const run = vi.fn()
      const cancel = timersOf((slice, milliseconds) => time.timers.after(milliseconds, slice)).after(60 * DAY, run)
      time.pass(40 * DAY)
      cancel()
      time.pass(40 * DAY)
      expect(run).not.toHaveBeenCalled()
      expect(time.pending()).toBe(0)
    })

    it('of the system runs', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      systemTimers.after(30_000, () => expect.unreachable())()
      systemTimers.after(-1, resolve)
      await promise
    })
  })
})

describe('alarm', () => {
  const DAY = 24 * 60 * 60 * 1000
  const ring = vi.fn()

  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    ring.mockReset()
  })

  const setAfter = (milliseconds: number) => alarmAt(systemClock, new Date(Date.now() + milliseconds), ring)

  describe('an alarm', () => {
    it.each([1, 24 * DAY, 365 * DAY])('runs once after %i ms, and not before', (milliseconds) => {
      setAfter(milliseconds)
      vi.advanceTimersByTime(milliseconds - 1)
      expect(ring).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      vi.advanceTimersByTime(30 * DAY)
      expect(ring).toHaveBeenCalledOnce()
    })

    it.each([0, -1])('runs at once when its time has come', (milliseconds) => {
      setAfter(milliseconds)
      expect(ring).toHaveBeenCalledOnce()
    })
  })
})
