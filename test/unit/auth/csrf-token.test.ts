import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isCsrfToken, newCsrfToken } from '../../../lib/auth/csrf.ts'
import { derivedKey } from '../../../lib/auth/oauth2/transaction.ts'

describe('S11 a CSRF token', () => {
  it.each(['session-id', ''])('is valid for the session it was issued for: %j', (sessionId) => {
    expect(isCsrfToken(newCsrfToken(sessionId), sessionId)).toBe(true)
  })

  it('differs each time', () => {
    expect(newCsrfToken('s')).not.toBe(newCsrfToken('s'))
  })

  it.each([
    ['another session', 'other', 'session'],
    ['a session, if it was issued before the login', '', 'session'],
    ['no session, if it was issued for one', 'session', ''],
  ])('is not valid for %s', (_, issuedFor, used) => {
    expect(isCsrfToken(newCsrfToken(issuedFor), used)).toBe(false)
  })

  it('is not valid for the stored hash of a session id', () => {
    const key = createHash('sha256').update('s').digest('base64url')
    expect(isCsrfToken(newCsrfToken(key), 's')).toBe(false)
  })

  const [random = '', signature = ''] = newCsrfToken('s').split('.')

  it.each([
    ['nothing', ''],
    ['no signature', `${random}.`],
    ['the signature without the random part', `.${signature}`],
    ['another random part', `x${random}.${signature}`],
    ['a shortened signature', `${random}.${signature.slice(0, -1)}`],
    ['a third part', `${random}.${signature}.x`],
    ['letters of two bytes', `${random}.${'é'.repeat(43)}`],
  ])('is refused after a change: %s', (_, token) => {
    expect(isCsrfToken(`${random}.${signature}`, 's')).toBe(true)
    expect(isCsrfToken(token, 's')).toBe(false)
  })

  it('is refused with any single character changed', () => {
    const token = newCsrfToken('s')
    for (const [index, character] of [...token].entries()) {
      const changed = `${token.slice(0, index)}${character === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(isCsrfToken(changed, 's')).toBe(false)
    }
  })
})

describe('a derived key', () => {
  const secret = new Uint8Array(64).fill(7)

  it('has 32 bytes, which depend only on the purpose', () => {
    expect(derivedKey(secret, 'csrf')).toHaveLength(32)
    expect(derivedKey(secret, 'csrf')).toEqual(derivedKey(secret, 'csrf'))
    expect(derivedKey(secret, 'csrf')).not.toEqual(derivedKey(secret, 'login'))
    expect(derivedKey(secret, 'csrf')).not.toEqual(derivedKey(new Uint8Array(64).fill(8), 'csrf'))
  })
})
