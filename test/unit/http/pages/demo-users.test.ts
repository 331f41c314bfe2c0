import { describe, expect, it } from 'vitest'
import type { Profile } from '../../../../lib/auth/profile.ts'
import type { DemoUser } from '../../../../lib/contract/console.ts'
import { demoLogins, demoUsersSection } from '../../../../lib/http/pages/demo-users.ts'
import { iconsOf } from '../../../../lib/http/pages/html.ts'
import { DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

const DRAW = iconsOf(SITE.manifest)

function shown(profile: Profile, users: readonly DemoUser[] = DEMO_USERS): string {
  const site = { ...SITE, profile, demoUsers: users }
  return demoUsersSection(viewOf(), site, '/', DRAW)?.text ?? ''
}

const labels = (text: string) => [...text.matchAll(/data-copy="([^"]*)"/g)].map(([, label]) => label)

describe('the demo users of a local run', () => {
  it('are missing if there are none', () => {
    expect(demoUsersSection(viewOf(), SITE, '/', DRAW)).toBeUndefined()
    expect(demoLogins(viewOf(), SITE, DRAW)).toBeUndefined()
  })

  it('log in with one click: each is a form with the token of the page', () => {
    const forms = shown('default').match(/<form method="post" action="\/login">[\s\S]*?<\/form>/g) ?? []
    expect(forms).toHaveLength(DEMO_USERS.length)
    for (const [index, { username, password }] of DEMO_USERS.entries()) {
      const fields = [...(forms[index] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, ...pair]) => pair)
      expect(fields).toEqual([
        ['_csrf', 'random.signature'],
        ['username', username],
        ['password', password],
      ])
    }
  })

  it('redirect to the page from which the login was requested', () => {
    const site = { ...SITE, demoUsers: DEMO_USERS }
    const { text = '' } = demoUsersSection(viewOf(), site, '/console/webhooks?q=a&b', DRAW) ?? {}
    expect(text.match(/name="returnTo" value="\/console\/webhooks\?q=a&amp;b"/g)).toHaveLength(DEMO_USERS.length)
  })

  it('are one for each role on the home page', () => {
    const twins = [...DEMO_USERS, ...DEMO_USERS.map((user) => ({ ...user, username: `${user.username}-twin` }))]
    const { text = '' } = demoLogins(viewOf(), { ...SITE, demoUsers: twins }, DRAW) ?? {}
    expect([...text.matchAll(/name="username" value="([^"]*)"/g)].map(([, name]) => name)).toEqual(['ann', 'ldapbob'])
  })

  it.each<[Profile, boolean, boolean]>([
    ['default', true, true],
    ['jwt', true, false],
    ['ldap', false, true],
  ])('are those that the profile %s can find', (profile, isDatabase, isDirectory) => {
    const text = shown(profile)
    expect([text.includes('ann-demo'), text.includes('bob-demo')]).toEqual([isDatabase, isDirectory])
  })

  it.each<[Profile, readonly string[]]>([
    ['default', ['JWT', 'HTTP Basic, database', 'HTTP Basic, directory', 'Session']],
    ['jwt', ['JWT', 'Session']],
    ['jdbc', ['HTTP Basic, database', 'Session']],
    ['ldap', ['HTTP Basic, directory', 'Session']],
    ['oauth2', ['Session']],
  ])('come with a command for each authentication method of the profile %s', (profile, wanted) => {
    expect(labels(shown(profile))).toEqual(wanted)
  })

  it('have commands that contain the address of the service', () => {
    expect(shown('default')).toContain('curl -u ldapbob:bob-demo http://127.0.0.1:3000/api/ldap/users')
  })
})
