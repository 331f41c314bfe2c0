import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import {
  directoryProtected,
  ldapAccountSettings,
  ldapSettings,
  strongPasswordDeployed,
} from '../../../../lib/runtime/settings/ldap.ts'
import { DEMO } from '../../../../lib/runtime/settings/strength.ts'

const GIVEN = {
  LDAP_URL: 'ldaps://directory.example',
  LDAP_BIND_DN: 'cn=svc,dc=example',
  LDAP_BIND_PASSWORD: 'secret',
  LDAP_BASE: 'dc=example',
}

const load = (environment: Readonly<Record<string, string>>) =>
  loadConfig({ STAGE: edgeSettings.STAGE, ...ldapSettings, ...ldapAccountSettings }, [directoryProtected], {
    ...GIVEN,
    ...environment,
  })

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    load(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the settings of the directory', () => {
  it.each(['ldap://127.0.0.1:3389', 'ldaps://directory.example', 'ldap://[::1]:389/'])(
    'accept the address %s',
    (url) => {
      expect(load({ LDAP_URL: url }).LDAP_URL.href).toBe(url)
    },
  )

  it.each([
    'http://directory.example',
    'directory.example:389',
    'ldap://user:password@directory.example',
    'ldap://directory.example/dc=example',
    'ldap://directory.example?x',
  ])('refuse the address %s', (url) => {
    expect(problemsOf({ LDAP_URL: url })).toEqual(['LDAP_URL: must be ldap://host:port or ldaps://host:port'])
  })

  it('map groups to roles in any case', () => {
    const { LDAP_GROUP_ROLES: roles } = load({
      LDAP_GROUP_ROLES: 'Domain Admins=ROLE_ADMIN, staff = ROLE_USER,a=b=ROLE_USER',
    })
    expect([...roles]).toEqual([
      ['domain admins', 'ROLE_ADMIN'],
      ['staff', 'ROLE_USER'],
      ['a=b', 'ROLE_USER'],
    ])
    expect(load({}).LDAP_GROUP_ROLES.get('administrators')).toBe('ROLE_ADMIN')
  })

  it.each(['staff', 'staff=', '=ROLE_USER', 'staff=ROLE_ROOT'])('refuse the mapping %s', (mapping) => {
    expect(problemsOf({ LDAP_GROUP_ROLES: mapping })).toEqual([
      'LDAP_GROUP_ROLES: entry 1 must be group=ROLE_ADMIN or group=ROLE_USER',
    ])
  })

  it('refuse an invalid name and an invalid certificate, and name missing ones', () => {
    expect(problemsOf({ LDAP_BASE: 'example', LDAP_CA: 'x', LDAP_BIND_PASSWORD: '', LDAP_BIND_DN: '' })).toEqual([
      'LDAP_BASE: must be a distinguished name',
      'LDAP_BIND_DN: must be set',
      'LDAP_BIND_PASSWORD: must be set',
      'LDAP_CA: must be certificates in PEM form',
    ])
    const broken = '-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----'
    expect(problemsOf({ LDAP_CA: broken })).toEqual(['LDAP_CA: must be certificates in PEM form'])
  })
})

describe('L08 passwords are sent unencrypted', () => {
  const UNPROTECTED = 'LDAP_URL: must be an ldaps address on a deployed stage, unless LDAP_START_TLS is true'

  it.each([
    ['dev', 'ldap://directory.example', 'false', [UNPROTECTED]],
    ['dev', 'ldap://directory.example', 'true', []],
    ['dev', 'ldaps://directory.example', 'false', []],
    ['dev', 'ldaps://directory.example', 'true', ['LDAP_START_TLS: must be false for an ldaps address']],
    ['local', 'ldap://127.0.0.1', 'false', []],
  ])('on no deployed stage: %s, %s, StartTLS %s', (STAGE, LDAP_URL, LDAP_START_TLS, problems) => {
    expect(problemsOf({ STAGE, LDAP_URL, LDAP_START_TLS })).toEqual(problems)
  })
})

describe('the password of the search account', () => {
  it.each([
    ['prod', 'short', 'LDAP_BIND_PASSWORD: must have at least 8 characters on a deployed stage'],
    ['prod', 'zB4$kk9-Qm', undefined],
    ['local', DEMO.bindPassword, undefined],
  ])('on stage %s, %s: %s', (STAGE, LDAP_BIND_PASSWORD, problem) => {
    expect(strongPasswordDeployed.broken({ STAGE, LDAP_BIND_PASSWORD })).toBe(problem)
  })
})
