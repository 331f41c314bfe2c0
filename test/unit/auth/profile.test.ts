import { describe, expect, it } from 'vitest'
import { isInProfile, PROFILES, type Profile } from '../../../lib/auth/profile.ts'

describe('a profile', () => {
  it.each<[Profile, boolean, boolean, readonly string[], boolean]>([
    ['default', true, true, ['database', 'directory'], true],
    ['jwt', true, false, ['database'], false],
    ['jdbc', false, true, ['database'], false],
    ['ldap', false, true, ['directory'], false],
    ['oauth2', false, false, ['database'], true],
  ])('selects the accepted credentials: %s', (name, bearer, basic, stores, isOffering) => {
    expect(PROFILES[name]).toEqual({ bearer, basic, stores })
    expect(isInProfile({ profile: 'oauth2' }, name)).toBe(isOffering)
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
