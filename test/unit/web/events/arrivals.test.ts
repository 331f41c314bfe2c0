import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, arrivals } from '../../../../web/events/arrivals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('events that come close together are announced once, when a pause is over', () => {
  announce(0)
  vi.runAllTimers()
  expect(arrivals.value).toBe('')
  announce(1)
  vi.advanceTimersByTime(4999)
  announce(2)
  expect(arrivals.value).toBe('')
  vi.advanceTimersByTime(1)
  expect(arrivals.value).toBe('3 new events')
  announce(1)
  vi.advanceTimersByTime(5000)
  expect(arrivals.value).toBe('1 new event')
})
