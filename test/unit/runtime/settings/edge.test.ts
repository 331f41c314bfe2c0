import { describe, expect, it } from 'vitest'
import { type ConfigError, loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'

const BASE_URL = 'http://localhost:3000'

function load(environment: Readonly<Record<string, string>> = {}) {
  return loadConfig(edgeSettings, [], { BASE_URL, ...environment })
}

describe('PROFILE', () => {
  it.each(['default', 'jwt', 'jdbc', 'ldap', 'oauth2'])('may be %s', (profile) => {
    expect(load({ PROFILE: profile }).PROFILE).toBe(profile)
  })

  it('is default by default', () => {
    expect(load().PROFILE).toBe('default')
  })

  it.each(['JWT', 'basic', 'constructor'])('stops the start with the allowed values when it is %s', (profile) => {
    expect(() => load({ PROFILE: profile })).toThrow(
      expect.objectContaining<Partial<ConfigError>>({
        problems: ['PROFILE: must be one of default, jwt, jdbc, ldap, oauth2'],
      }),
    )
  })
})

describe('BASE_URL', () => {
  it.each(['http://localhost:3000', 'https://gatehouse.example/'])('may be %s', (url) => {
    expect(load({ BASE_URL: url }).BASE_URL.href).toBe(new URL(url).href)
  })

  it.each(['localhost:3000', 'ftp://example.org', '/', 'javascript:alert(1)'])('is not %s', (url) => {
    expect(() => load({ BASE_URL: url })).toThrow('BASE_URL: must be an http or https address')
  })
})

describe('TRUSTED_ORIGINS', () => {
  it('is empty by default', () => {
    expect(load().TRUSTED_ORIGINS).toEqual([])
  })

  it('is a list of origins', () => {
    const { TRUSTED_ORIGINS } = load({ TRUSTED_ORIGINS: 'https://A.example/, http://b.example:80' })
    expect(TRUSTED_ORIGINS).toEqual(['https://a.example', 'http://b.example'])
  })

  it.each(['*', 'null', 'a.example'])('does not hold %s', (origin) => {
    expect(() => load({ TRUSTED_ORIGINS: origin })).toThrow('TRUSTED_ORIGINS: ')
  })
})

describe('TRUSTED_PROXIES', () => {
  it('has nobody by default', () => {
    expect(load().TRUSTED_PROXIES.has('127.0.0.1')).toBe(false)
  })

  it('is a list of addresses and ranges', () => {
    const { TRUSTED_PROXIES } = load({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 ,2001:DB8::/32' })
    const addresses = ['127.0.0.1', '10.1.2.3', '2001:db8::1', '127.0.0.2']
    expect(addresses.map((address) => TRUSTED_PROXIES.has(address))).toEqual([true, true, true, false])
  })

  it('is reported together with the other wrong settings', () => {
    expect(() => load({ TRUSTED_PROXIES: '127.0.0.1,proxy.example', PROFILE: 'x' })).toThrow(
      expect.objectContaining<Partial<ConfigError>>({
        problems: [
          'PROFILE: must be one of default, jwt, jdbc, ldap, oauth2',
          'TRUSTED_PROXIES: must be IP addresses or CIDR ranges, separated by commas',
        ],
      }),
    )
  })
})
