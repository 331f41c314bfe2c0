import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aroundPage } from './page-world.ts'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('events in quick succession are announced once, after a pause', async () => {
  aroundPage()
  const { announce, arrivals } = await import('../../../../web/events/reading.ts')
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
