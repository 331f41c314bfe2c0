import { describe, expect, it } from 'vitest'
import { isOriginAllowed } from '../../../lib/auth/csrf.ts'

const OWN = 'https://gatehouse.example'
const TRUSTED = ['https://partner.example']

describe('the origin rule', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('lets the safe method %s pass from anywhere', (method) => {
    expect(isOriginAllowed({ method, secFetchSite: 'cross-site', origin: 'https://evil.example' }, OWN, [])).toBe(true)
  })

  it.each<[boolean, string | undefined, string | undefined]>([
    [true, undefined, undefined],
    [true, 'same-origin', undefined],
    [true, 'same-origin', OWN],
    [true, 'none', undefined],
    [false, 'same-site', undefined],
    [false, 'cross-site', undefined],
    [false, 'cross-site', OWN],
    [false, 'Same-Origin', undefined],
    [false, '', undefined],
    [true, undefined, OWN],
    [false, undefined, 'http://gatehouse.example'],
    [false, undefined, 'https://gatehouse.example:8443'],
    [false, undefined, 'https://gatehouse.example.evil.example'],
    [false, undefined, 'https://evil.example'],
    [false, undefined, 'null'],
    [false, undefined, ''],
    [true, undefined, 'https://partner.example'],
    [true, 'cross-site', 'https://partner.example'],
    [false, 'cross-site', 'https://partner.example.evil.example'],
  ])('allows (%s) a POST with Sec-Fetch-Site %s and Origin %s', (allowed, secFetchSite, origin) => {
    expect(isOriginAllowed({ method: 'POST', secFetchSite, origin }, OWN, TRUSTED)).toBe(allowed)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get', 'CONNECT'])('judges the method %s', (method) => {
    expect(isOriginAllowed({ method, secFetchSite: 'cross-site', origin: undefined }, OWN, TRUSTED)).toBe(false)
  })
})
