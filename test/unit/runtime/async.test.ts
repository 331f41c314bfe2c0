import { describe, expect, it, vi } from 'vitest'
import { systemTimers, timersOf } from '../../../lib/runtime/async.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

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
