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
})
