import { describe, expect, it } from 'vitest'
import { PROFILES, type Profile } from '../../../lib/auth/profile.ts'

const ALL = ['google', 'github', 'facebook']

describe('a profile', () => {
  it.each<[Profile, boolean, boolean, readonly string[], readonly string[]]>([
    ['default', true, true, ['database', 'directory'], ALL],
    ['jwt', true, false, ['database'], []],
    ['jdbc', false, true, ['database'], []],
    ['ldap', false, true, ['directory'], []],
    ['oauth2', false, false, ['database'], ALL],
  ])('selects what is accepted: %s', (name, bearer, basic, stores, providers) => {
    expect(PROFILES[name]).toEqual({ bearer, basic, stores, providers })
  })

  it('is one of five', () => {
    expect(Object.keys(PROFILES)).toEqual(['default', 'jwt', 'jdbc', 'ldap', 'oauth2'])
  })
})
