import { describe, expect, it } from 'vitest'
import { isInProfile, PROFILES, type Profile } from '../../../../lib/auth/profile.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import { matchRoute } from '../../../../lib/http/routing.ts'
import { environmentOf } from '../../../../localstack/stack/environment.ts'
import { portsAt } from '../../../../localstack/stack/ports.ts'
import { readyOf, screenOf } from '../../../../localstack/stack/ready.ts'

const NAMES = Object.keys(PROFILES) as Profile[]
const PORTS = portsAt(0)
const HTTP = 'http://127.0.0.1:3000'

function readyIn(profile: Profile, given: Readonly<Record<string, string>> = {}) {
  const settings = { PROFILE: profile, ...given }
  const secrets = { JWT_KEYS: `local:${'A'.repeat(86)}`, WEBHOOK_SECRETS: '{}' } as never
  return readyOf(settings, { ...environmentOf(settings, PORTS, secrets), ...settings }, PORTS, 'memory')
}

const screenIn = (...given: Parameters<typeof readyIn>) => screenOf(readyIn(...given), 'the log')
const commandsIn = (screen: string) => [...screen.matchAll(/^ {2}((?:curl|TOKEN).*)$/gm)].map(([, line = '']) => line)
const openedIn = (screen: string) => [...screen.matchAll(/^ {2}Open (\S+) in a browser$/gm)].map(([, url = '']) => url)

/** No endpoint, but there on each local run. */
const LAB = '/lab'

const BASIC = (name: string) => `curl -u ${name}:${name}-demo`

describe('the screen of npm start', () => {
  it.each<[Profile, readonly string[], readonly string[]]>([
    ['default', ['TOKEN=$(curl -s', 'curl -H', 'curl -H'], ['/oauth2/authorization/google']],
    ['jwt', ['TOKEN=$(curl -s', 'curl -H', 'curl -H'], []],
    ['jdbc', [BASIC('admin'), BASIC('admin'), BASIC('admin')], []],
    ['ldap', [BASIC('ldapadmin'), BASIC('ldapadmin'), BASIC('ldapadmin')], []],
    ['oauth2', [], ['/login', '/oauth2/authorization/google']],
  ])('shows the credentials of the profile %s, and nothing else', (profile, commands, pages) => {
    const screen = screenIn(profile)
    const [hello, ...others] = commandsIn(screen)
    expect(hello).toBe(`curl ${HTTP}/api/public/hello`)
    expect(others.map((line, index) => line.slice(0, commands[index]?.length))).toEqual(commands)
    expect(openedIn(screen)).toEqual(pages.map((path) => `${HTTP}${path}`))
  })

  it.each(NAMES)('names no path that the profile %s lacks', (profile) => {
    const paths = [...screenIn(profile).matchAll(/:3000(\/\S+)/g)].map(([, path = '']) => path)
    for (const path of paths.filter((path) => path !== LAB)) {
      const isKnown = Object.values<Route>(ROUTES).some(
        (route) => isInProfile(route, profile) && matchRoute(route, path),
      )
      expect(isKnown, path).toBe(true)
    }
  })

  it('has the offset of the ports in what has to know it, and nothing without one', () => {
    const send = 'npx gatehouse send stripe payment_intent.succeeded'
    expect(screenOf(readyIn('jwt'), 'the log', 710)).toContain(`\n  PORT_OFFSET=710 ${send}\n`)
    expect(screenIn('jwt')).toContain(`\n  ${send}\n`)
  })

  it('leaves no error in TOKEN: an answer without a token prints nothing', () => {
    expect(screenIn('jwt')).toContain(`| sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')`)
  })

  it('shows no user and no command of a user if the directory is another one', () => {
    const screen = screenIn('ldap', { LDAP_URL: 'ldap://directory.example' })
    expect(screen).not.toMatch(/Demo users|undefined|-demo/)
    expect(commandsIn(screen)).toEqual([`curl ${HTTP}/api/public/hello`])
  })
})

describe('the users in the line of JSON', () => {
  it.each<[Profile, readonly string[]]>([
    ['default', ['jdbc', 'ldap', 'google', 'github', 'facebook']],
    ['jwt', ['jdbc']],
    ['jdbc', ['jdbc']],
    ['ldap', ['ldap']],
    ['oauth2', ['jdbc', 'google', 'github', 'facebook']],
  ])('are those who can log in in the profile %s, the database’s first', (profile, stores) => {
    const { users, ...ready } = readyIn(profile)
    expect(ready.profile).toBe(profile)
    expect([...new Set(users.map(({ store }) => store))]).toEqual(stores)
    expect(users.some(({ role }) => role === 'ROLE_ADMIN')).toBe(true)
  })

  it('include none of the directory if that is another one', () => {
    const { users } = readyIn('default', { LDAP_URL: 'ldap://directory.example' })
    expect(users.map(({ store }) => store)).not.toContain('ldap')
  })
})
