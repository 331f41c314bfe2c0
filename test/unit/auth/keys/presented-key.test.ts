import { describe, expect, it } from 'vitest'
import { presentedKey } from '../../../../lib/auth/keys/presented-key.ts'

describe('the header X-Api-Key', () => {
  it('may be missing, empty or any text', () => {
    expect(presentedKey([], false)).toBeUndefined()
    expect(presentedKey([], true)).toBeUndefined()
    expect(presentedKey([''], false)).toBe('')
    expect(presentedKey(['x'], false)).toBe('x')
  })

  it.each<[string, readonly string[], boolean, string]>([
    ['twice', ['a', 'b'], false, 'X-Api-Key must be sent once'],
    ['joined', ['a, b'], false, 'X-Api-Key must be sent once'],
    ['with another kind', ['a'], true, 'X-Api-Key must be sent without Authorization'],
  ])('%s is refused, and its value is not repeated', (_, values, isBesideOthers, message) => {
    expect(() => presentedKey(values, isBesideOthers)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: { validationErrors: [{ field: 'X-Api-Key', message, rejectedValue: null }] },
      }),
    )
  })
})
