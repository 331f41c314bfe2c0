import { describe, expect, it, vi } from 'vitest'
import { derived } from '../../../lib/runtime/current.ts'

describe('a derived value', () => {
  it('is computed once for each value, the first at once', () => {
    const source = { current: ['a'] }
    const make = vi.fn((value: readonly string[]) => value.join())
    const made = derived(source, make)
    expect(make).toHaveBeenCalledTimes(1)
    expect([made.current, made.current]).toEqual(['a', 'a'])
    expect(make).toHaveBeenCalledTimes(1)
    source.current = ['b', 'c']
    expect([made.current, made.current]).toEqual(['b,c', 'b,c'])
    expect(make).toHaveBeenCalledTimes(2)
  })
})
