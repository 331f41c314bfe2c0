import { describe, expect, it } from 'vitest'
import { isOriginAllowed, isSafe } from '../../../lib/auth/csrf.ts'

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
