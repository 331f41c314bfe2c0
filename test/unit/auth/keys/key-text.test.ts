import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isKeyId,
  isSecretOf,
  keyIdOf,
  keyTextOf,
  newSecret,
  readKeyText,
  secretHashOf,
} from '../../../../lib/auth/keys/api-key.ts'
import { LAST_ID } from '../../../../lib/runtime/ids.ts'
import { anyText } from '../../../support/any-text.ts'

const anyId = fc.bigInt({ min: 0n, max: LAST_ID })
const secret = newSecret()
const GOOD = keyTextOf({ id: '0svjv5tv1wq2o', secret })

describe('the text of a key', () => {
  it('is ghk_, its id and 32 bytes in base64url', () => {
    expect(GOOD).toMatch(/^ghk_[0-9a-z]{13}_[\w-]{43}$/)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(newSecret()).not.toBe(secret)
  })

  it('is read as it was written, for any id', () => {
    fc.assert(
      fc.property(anyId, fc.uint8Array({ minLength: 32, maxLength: 32 }), (ordered, bytes) => {
        const parts = { id: keyIdOf(ordered), secret: Buffer.from(bytes).toString('base64url') }
        expect(readKeyText(keyTextOf(parts))).toEqual(parts)
        expect(isKeyId(parts.id)).toBe(true)
      }),
    )
  })

  it('of a later key has a later id', () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        expect(keyIdOf(one) < keyIdOf(other)).toBe(one < other)
      }),
    )
  })

  it('has only one valid form', () => {
    const near = fc.stringMatching(/^ghk_[0-9a-z]{12,14}_[\w-]{42,44}[ =]?$/)
    fc.assert(
      fc.property(fc.oneof(anyText(), near), (text) => {
        const parts = readKeyText(text)
        expect(parts === undefined || keyTextOf(parts) === text).toBe(true)
      }),
    )
  })

  it.each<[string, string]>([
    ['empty', ''],
    ['followed by a blank', `${GOOD} `],
    ['followed by a line break', `${GOOD}\n`],
    ['one character too long', `${GOOD}x`],
    ['one character too short', GOOD.slice(0, -1)],
    ['with a prefix in capitals', GOOD.replace('ghk_', 'GHK_')],
    ['of an id with a capital', `ghk_0svjv5tv1wq2O_${secret}`],
    ['in plain base64', `ghk_0svjv5tv1wq2o_${'+'.repeat(43)}`],
  ])('is invalid if it is %s', (_, text) => {
    expect(readKeyText(text)).toBeUndefined()
  })
})

describe('the stored hash of a secret', () => {
  it('is its SHA-256', () => {
    expect(secretHashOf('abc')).toBe(createHash('sha256').update('abc').digest('base64url'))
  })

  it('matches that secret only, not even one that decodes to the same bytes', () => {
    const twin = `${'A'.repeat(42)}B`
    expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from('A'.repeat(43), 'base64url'))
    expect(isSecretOf(twin, secretHashOf(twin))).toBe(true)
    expect(isSecretOf('A'.repeat(43), secretHashOf(twin))).toBe(false)
    expect(isSecretOf('', secretHashOf(twin))).toBe(false)
  })

  it('matches nothing without a hash', () => {
    expect(isSecretOf(secret, undefined)).toBe(false)
    expect(isSecretOf('', undefined)).toBe(false)
  })
})
