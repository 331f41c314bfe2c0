import { describe, expect, it } from 'vitest'
import { isOriginAllowed, isSafe, returnAddress } from '../../../lib/auth/csrf.ts'

const OWN = 'https://gatehouse.example'
const TRUSTED = ['https://partner.example']

describe('a method', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('%s is safe', (method) => {
    expect(isSafe(method)).toBe(true)
  })

  it.each(['POST', 'DELETE', 'get'])('%s is not safe', (method) => {
    expect(isSafe(method)).toBe(false)
  })
})

describe('the origin rule', () => {
  it.each<[boolean, string | undefined, string | undefined]>([
    [true, undefined, undefined],
    [true, 'same-origin', undefined],
    [true, 'none', undefined],
    [false, 'same-site', undefined],
    [false, 'cross-site', undefined],
    [false, 'cross-site', OWN],
    [true, undefined, OWN],
    [false, undefined, 'http://gatehouse.example'],
    [false, undefined, 'https://gatehouse.example.evil.example'],
    [false, undefined, 'null'],
    [true, 'cross-site', 'https://partner.example'],
    [false, 'cross-site', 'https://partner.example.evil.example'],
    // A page whose host name was rebound to this machine is of the same origin as what it calls.
    [false, 'same-origin', 'http://evil.example:3000'],
    [false, 'none', 'https://evil.example'],
    [true, 'same-origin', 'https://partner.example'],
    // A form on a page without a referrer has no other origin (Fetch standard, "append a request `Origin` header").
    [true, 'same-origin', 'null'],
    [false, 'cross-site', 'null'],
  ])('allows (%s) a request with Sec-Fetch-Site %s and Origin %s', (allowed, secFetchSite, origin) => {
    expect(isOriginAllowed({ secFetchSite, origin }, OWN, TRUSTED)).toBe(allowed)
  })
})

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
