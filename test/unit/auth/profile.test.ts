import { describe, expect, it } from 'vitest'
import { isInProfile, PROFILES, type Profile } from '../../../lib/auth/profile.ts'

const ALL = ['google', 'github', 'facebook']

describe('a profile', () => {
  it.each<[Profile, boolean, boolean, readonly string[], readonly string[]]>([
    ['default', true, true, ['database', 'directory'], ALL],
    ['jwt', true, false, ['database'], []],
    ['jdbc', false, true, ['database'], []],
    ['ldap', false, true, ['directory'], []],
    ['oauth2', false, false, ['database'], ALL],
  ])('selects the accepted credentials: %s', (name, bearer, basic, stores, providers) => {
    expect(PROFILES[name]).toEqual({ bearer, basic, stores, providers })
  })
})

it.each([
  [undefined, 'jwt', true],
  ['ldap', 'ldap', true],
  ['ldap', 'jdbc', false],
  ['ldap', 'default', true],
] as const)('an endpoint for %s is in the profile %s: %s', (profile, running, isThere) => {
  expect(isInProfile(profile ? { profile } : {}, running)).toBe(isThere)
})
