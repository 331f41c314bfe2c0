import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarmAt } from '../../../lib/runtime/alarm.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'

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
