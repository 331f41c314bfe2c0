import { describe, expect, it } from 'vitest'
import { type ConfigError, loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeDeployed, edgeSettings, isBasicForOperators } from '../../../../lib/runtime/settings/edge.ts'

const BASE_URL = 'http://localhost:3000'

const RULE = 'must be an http or https address of scheme, host and port alone, as in https://gatehouse.example'

/** As a deployed function loads its settings. */
function deploy(environment: Readonly<Record<string, string>>) {
  return loadConfig(edgeSettings, edgeDeployed, {
    STAGE: 'prod',
    BASE_URL: 'https://gatehouse.example',
    ...environment,
  })
}

function load(environment: Readonly<Record<string, string>> = {}) {
  return loadConfig(edgeSettings, [], { BASE_URL, ...environment })
}

it('an endpoint has the default profile, trusts no other origin and no proxy by default', () => {
  const { PROFILE, TRUSTED_ORIGINS, TRUSTED_PROXIES } = load()
  expect([PROFILE, TRUSTED_ORIGINS, TRUSTED_PROXIES.has('127.0.0.1')]).toEqual(['default', [], false])
})

it.each([
  [{ STAGE: 'local', PROFILE: 'default' }, true],
  [{ STAGE: 'local', PROFILE: 'default', BASIC_FOR_OPERATORS: 'off' }, false],
  [{ STAGE: 'prod', PROFILE: 'default' }, false],
  [{ STAGE: 'prod', PROFILE: 'jdbc' }, true],
  [{ STAGE: 'prod', PROFILE: 'ldap' }, true],
  [{ STAGE: 'prod', PROFILE: 'ldap', BASIC_FOR_OPERATORS: 'off' }, false],
  [{ STAGE: 'prod', PROFILE: 'default', BASIC_FOR_OPERATORS: 'on' }, true],
])('%j: operators use HTTP Basic: %s', (given, isOn) => expect(isBasicForOperators(given)).toBe(isOn))

describe('PROFILE', () => {
  it.each(['default', 'jwt', 'jdbc', 'ldap', 'oauth2'])('may be %s', (profile) => {
    expect(load({ PROFILE: profile }).PROFILE).toBe(profile)
  })

  it.each(['JWT', 'constructor'])('stops the start with the allowed values when it is %s', (profile) => {
    expect(() => load({ PROFILE: profile })).toThrow(
      expect.objectContaining<Partial<ConfigError>>({
        problems: ['PROFILE: must be one of default, jwt, jdbc, ldap, oauth2'],
      }),
    )
  })
})

describe('BASE_URL', () => {
  it.each([
    ['https://gatehouse.example/', 'https://gatehouse.example'],
    ['https://gatehouse.example:443', 'https://gatehouse.example'],
    ['https://gatehouse.example:8443', 'https://gatehouse.example:8443'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('may be %s, and is %s', (url, origin) => {
    expect(load({ BASE_URL: url }).BASE_URL.origin).toBe(origin)
  })

  it.each([
    'localhost:3000',
    'ftp://example.org',
    '/',
    'https://gatehouse.example/base',
    'https://gatehouse.example?',
    'https://gatehouse.example#',
    'https://admin@gatehouse.example',
  ])('is not %s', (url) => {
    expect(() => load({ BASE_URL: url })).toThrow(expect.objectContaining({ problems: [`BASE_URL: ${RULE}`] }))
  })
})

describe('TRUSTED_ORIGINS', () => {
  it('is a list of origins', () => {
    const { TRUSTED_ORIGINS } = load({ TRUSTED_ORIGINS: 'https://A.example/, http://b.example:80' })
    expect(TRUSTED_ORIGINS).toEqual(['https://a.example', 'http://b.example'])
  })

  it.each([
    'capacitor://localhost',
    'tauri://localhost',
    'app://obsidian.md',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://6a1b8b1c-0b5e-4b0e-9f0a-2b1d8f7e5c3a',
  ])('may contain that of an app or an extension: %s', (origin) => {
    expect(load({ TRUSTED_ORIGINS: origin }).TRUSTED_ORIGINS).toEqual([origin])
    expect(deploy({ TRUSTED_ORIGINS: origin }).TRUSTED_ORIGINS).toEqual([origin])
  })

  it.each([
    'file://localhost',
    'data://x',
    'javascript://x',
    'app://*',
    'app://x/y',
    'app:x',
    '*',
    'null',
    'https://*.a.example',
    'https://a.example, https://b.example/app',
  ])('does not accept %s', (origin) => {
    expect(() => load({ TRUSTED_ORIGINS: origin })).toThrow(
      expect.objectContaining({ problems: [`TRUSTED_ORIGINS: ${RULE}`] }),
    )
  })

  it.each(['https://a.example', 'http://localhost:5173'])('may contain %s on a deployed stage', (origin) => {
    expect(deploy({ TRUSTED_ORIGINS: origin }).TRUSTED_ORIGINS).toEqual([origin])
  })

  it.each(['http://a.example', 'http://localhost.a.example', 'https://a.example,http://b.example'])(
    'does not contain %s on a deployed stage, where a third party could change its pages',
    (origin) => {
      expect(() => deploy({ TRUSTED_ORIGINS: origin })).toThrow(
        expect.objectContaining({
          problems: ['TRUSTED_ORIGINS: must not be http addresses on a deployed stage, except loopback names'],
        }),
      )
    },
  )
})

describe('TRUSTED_PROXIES', () => {
  it('is a list of addresses and ranges', () => {
    const { TRUSTED_PROXIES } = load({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 ,2001:DB8::/32' })
    const addresses = ['127.0.0.1', '10.1.2.3', '2001:db8::1', '127.0.0.2']
    expect(addresses.map((address) => TRUSTED_PROXIES.has(address))).toEqual([true, true, true, false])
  })
})
