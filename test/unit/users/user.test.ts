import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { userKey } from '../../../lib/users/user.ts'
import { anyText } from '../../support/any-text.ts'

describe("a user's key", () => {
  it.each([
    ['ALICE', 'alice'],
    ['Jose\u0301', 'jos\u00e9'],
    [' alice', ' alice'],
  ])('of %j is %j: names are case-insensitive and compared in NFC', (name, key) => {
    expect(userKey(name)).toBe(key)
  })

  it.each([
    ['an empty name', ''],
    ['a name of 257 characters', 'a'.repeat(257)],
    ['a megabyte of combining marks', `a${'\u0301\u0316'.repeat(250_000)}`],
  ])('does not exist for %s', (_, name) => {
    expect(userKey(name)).toBeUndefined()
  })

  it('exists for a name of 256 characters', () => {
    expect(userKey('A'.repeat(256))).toBe('a'.repeat(256))
  })

  it('is its own key', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 20 }), (name) => {
        const key = userKey(name) ?? ''
        expect(userKey(key)).toBe(key)
      }),
    )
  })
})
