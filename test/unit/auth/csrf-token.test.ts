import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsrfTokens } from '../../../lib/auth/csrf-token.ts'
import { derivedKey } from '../../../lib/auth/derived-key.ts'
import { anyText } from '../../support/any-text.ts'

const [FIRST, SECOND] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const tokens = createCsrfTokens({ current: [FIRST] })

describe('S11 a CSRF token', () => {
  it.each(['session-key', ''])('is valid for the session it was issued for: %j', (sessionKey) => {
    expect(tokens.isValid(tokens.issue(sessionKey), sessionKey)).toBe(true)
  })

  it('is another one each time', () => {
    expect(tokens.issue('s')).not.toBe(tokens.issue('s'))
  })

  it.each([
    ['another session', 'other', 'session'],
    ['a session, if it was issued before the login', '', 'session'],
    ['no session, if it was issued for one', 'session', ''],
  ])('is not valid for %s', (_, issuedFor, used) => {
    expect(tokens.isValid(tokens.issue(issuedFor), used)).toBe(false)
  })

  it('K05 under another key is not valid', () => {
    expect(tokens.isValid(createCsrfTokens({ current: [SECOND] }).issue('s'), 's')).toBe(false)
  })

  const [random = '', signature = ''] = tokens.issue('s').split('.')

  it.each([
    ['nothing', ''],
    ['a dot', '.'],
    ['no signature', `${random}.`],
    ['no signature and no dot', random],
    ['the signature alone', `.${signature}`],
    ['another random part', `x${random}.${signature}`],
    ['a cut signature', `${random}.${signature.slice(0, -1)}`],
    ['a longer signature', `${random}.${signature}A`],
    ['padding', `${random}.${signature}=`],
    ['a blank before it', ` ${random}.${signature}`],
    ['the two parts the other way round', `${signature}.${random}`],
    ['a third part', `${random}.${signature}.x`],
    ['letters of two bytes', `${random}.${'é'.repeat(43)}`],
  ])('is refused when it was tampered with: %s', (_, token) => {
    expect(tokens.isValid(`${random}.${signature}`, 's')).toBe(true)
    expect(tokens.isValid(token, 's')).toBe(false)
  })

  it('is refused with any one character changed', () => {
    const token = tokens.issue('s')
    for (const [index, character] of [...token].entries()) {
      const changed = `${token.slice(0, index)}${character === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(tokens.isValid(changed, 's')).toBe(false)
    }
  })

  it('is no random text', () => {
    fc.assert(
      fc.property(anyText(), fc.base64String(), fc.string(), (text, other, sessionKey) => {
        expect(tokens.isValid(text, sessionKey)).toBe(false)
        expect(tokens.isValid(`${text}.${other}`, sessionKey)).toBe(false)
      }),
    )
  })

  it('survives a rotation: the first key signs, any of them may have signed', () => {
    const before = tokens.issue('s')
    const rotated = createCsrfTokens({ current: [SECOND, FIRST] })
    expect(rotated.isValid(before, 's')).toBe(true)
    expect(createCsrfTokens({ current: [SECOND] }).isValid(rotated.issue('s'), 's')).toBe(true)
    expect(createCsrfTokens({ current: [SECOND] }).isValid(before, 's')).toBe(false)
  })

  it('needs a key', () => {
    expect(() => createCsrfTokens({ current: [] }).issue('s')).toThrow('CSRF tokens need a key')
  })
})

describe('a derived key', () => {
  const secret = new Uint8Array(64).fill(7)

  it('has 32 bytes, the same ones for a purpose and others for another', () => {
    expect(derivedKey(secret, 'csrf')).toHaveLength(32)
    expect(derivedKey(secret, 'csrf')).toEqual(derivedKey(secret, 'csrf'))
    expect(derivedKey(secret, 'csrf')).not.toEqual(derivedKey(secret, 'login'))
    expect(derivedKey(secret, 'csrf')).not.toEqual(derivedKey(new Uint8Array(64).fill(8), 'csrf'))
  })
})
