import { describe, expect, it } from 'vitest'
import type { Profile } from '../../../../lib/auth/profile.ts'
import type { DemoUser } from '../../../../lib/contract/console.ts'
import { demoUsersSection } from '../../../../lib/http/pages/demo-users.ts'
import { DEMO_USERS, SITE } from '../../../support/fakes/pages.ts'

function shown(profile: Profile, users: readonly DemoUser[] = DEMO_USERS): string {
  return demoUsersSection({ ...SITE, profile, demoUsers: users })?.text ?? ''
}

const labels = (text: string) => [...text.matchAll(/data-copy="([^"]*)"/g)].map(([, label]) => label)

describe('the demo users of a local run', () => {
  it('are nowhere where there are none', () => {
    expect(demoUsersSection(SITE)).toBeUndefined()
  })

  it.each<[Profile, boolean, boolean]>([
    ['default', true, true],
    ['jwt', true, false],
    ['jdbc', true, false],
    ['ldap', false, true],
    ['oauth2', true, false],
  ])('are those whom the profile %s looks up', (profile, isDatabase, isDirectory) => {
    const text = shown(profile)
    expect([text.includes('ann-demo'), text.includes('bob-demo')]).toEqual([isDatabase, isDirectory])
  })

  it.each<[Profile, readonly string[]]>([
    ['default', ['JWT', 'HTTP Basic, database', 'HTTP Basic, directory', 'Session']],
    ['jwt', ['JWT', 'Session']],
    ['jdbc', ['HTTP Basic, database', 'Session']],
    ['ldap', ['HTTP Basic, directory', 'Session']],
    ['oauth2', ['Session']],
  ])('come with a command for each way into the profile %s', (profile, wanted) => {
    expect(labels(shown(profile))).toEqual(wanted)
  })

  it('have commands that name the address of the service', () => {
    expect(shown('default')).toContain('curl -u ldapbob:bob-demo http://127.0.0.1:3000/api/ldap/users')
  })
})
