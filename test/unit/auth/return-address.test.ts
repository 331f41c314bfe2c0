import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnAddress } from '../../../lib/auth/return-address.ts'

const BASE = new URL('https://gatehouse.example')

const LOCAL = ['/', '/a?b=c&d=%2F%2Fe#f', '/@evil.example', '/%5Cevil.example', `/${'x'.repeat(299)}`]
const FOREIGN = [
  undefined,
  '//evil.example',
  '/\\evil.example',
  'https://gatehouse.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/ok\r\nLocation: https://evil.example',
  '/ü',
  '/\u2028',
  `/${'x'.repeat(300)}`,
]

describe('the address to return to', () => {
  it.each(LOCAL)('is %j, a path of this service', (wanted) => expect(returnAddress(wanted, BASE)).toBe(wanted))
  it.each(FOREIGN)('is the start page instead of %j', (wanted) => expect(returnAddress(wanted, BASE)).toBe('/'))

  it('never leaves this origin and never breaks a header, for any input', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      ':',
      '@',
      '?',
      '#',
      '%2F',
      '\t',
      '\n',
      '\r',
      ' ',
      'http:',
      'evil.example',
    )
    const pieces = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 })
    const wanted = fc.tuple(fc.constantFrom('', '/', '//'), pieces).map(([start, rest]) => start + rest.join(''))
    fc.assert(
      fc.property(wanted, (text) => {
        const address = returnAddress(text, BASE)
        expect(new URL(address, BASE.href).origin).toBe(BASE.origin)
        expect(address).toMatch(/^\/[!-~]*$/)
        expect(['/', text]).toContain(address)
      }),
      { numRuns: 2000 },
    )
  })
})
