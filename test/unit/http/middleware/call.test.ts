import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beforeDeadline } from '../../../../lib/http/middleware/call.ts'
import { lambdaContext } from '../../../support/fakes/http.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => undefined)

describe('the deadline', () => {
  it('returns the result of work that ends in time, and leaves no timer', async () => {
    expect(await beforeDeadline(Promise.resolve('done'), lambdaContext(1000))).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('throws the failure of work, and leaves no timer', async () => {
    await expect(beforeDeadline(Promise.reject(new Error('broken')), lambdaContext(1000))).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is UNAVAILABLE half a second before the platform would stop the function', async () => {
    let state = 'waiting'
    const work = beforeDeadline(never(), lambdaContext(3000)).catch((error) => {
      state = error.code
    })
    await vi.advanceTimersByTimeAsync(2499)
    expect(state).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(state).toBe('UNAVAILABLE')
    await work
  })

  it('ends at once when there is less time than that', async () => {
    const work = expect(beforeDeadline(never(), lambdaContext(400))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await vi.advanceTimersByTimeAsync(0)
    await work
  })

  it('does not exist without a known remaining time', async () => {
    expect(await beforeDeadline(Promise.resolve('done'), {})).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })
})
