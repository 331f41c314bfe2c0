import { describe, expect, it, vi } from 'vitest'
import { memoizeAsync } from '../../../lib/runtime/cache.ts'

describe('a memoized value', () => {
  it('is computed once, for parallel callers as well', async () => {
    const make = vi.fn(async () => ({}))
    const made = memoizeAsync(make)
    const [one, other] = await Promise.all([made(), made()])
    expect(one).toBe(other)
    expect(await made()).toBe(one)
    expect(make).toHaveBeenCalledTimes(1)
  })

  it('is computed again after a failure', async () => {
    const make = vi.fn(async () => 'made').mockRejectedValueOnce(new Error('not now'))
    const made = memoizeAsync(make)
    await expect(made()).rejects.toThrow('not now')
    expect(await made()).toBe('made')
  })
})
