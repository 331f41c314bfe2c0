import { expect } from 'vitest'
import { type Browser, openBrowser, providerUser } from '../support/browserless-login.ts'
import { type Answer, basic, call } from '../support/client.ts'
import { served } from '../support/served.ts'
import type { Checks } from './checks.ts'
import type { Kind } from './profiles.ts'
import { badBasic, expectRefusal, noCredentials, notAccepted, unknownPath } from './refusals.ts'
import type { World } from './world.ts'

interface List {
  readonly path: string
  /** The only kind of credentials that counts there. */
  readonly kind: Kind
  readonly title: string
  /** Names and roles of the demo users. */
  readonly everybody: Readonly<Record<string, string>>
}

const JDBC: List = {
  path: '/api/jdbc/users',
  kind: 'Basic, database',
  title: 'JDBC Authentication Demo',
  everybody: { admin: 'ROLE_ADMIN', user: 'ROLE_USER', jdbcadmin: 'ROLE_ADMIN', jdbcuser: 'ROLE_USER' },
}

const LDAP: List = {
  path: '/api/ldap/users',
  kind: 'Basic, directory',
  title: 'LDAP Authentication Demo',
  everybody: { ldapadmin: 'ROLE_ADMIN', ldapuser: 'ROLE_USER', ldapunicode: 'ROLE_USER', ldapguest: '' },
}

const PROFILE = '/api/oauth2/profile'

/** Right for nobody in either store. */
const STRANGERS = [
  ['admin', 'wrong'],
  ['nobody', 'admin-demo'],
  ['jdbcuser', 'ldapuser-demo'],
  ['ldapuser', 'jdbcuser-demo'],
] as const

interface Listed {
  readonly username: string
  readonly roles: readonly string[]
}

const rolesOf = ({ json }: Answer) =>
  Object.fromEntries((json.users as readonly Listed[]).map(({ username, roles }) => [username, roles.join()]))

async function expectList({ path, kind, everybody }: List, { admins, users, guests }: World): Promise<void> {
  const callers = [...admins, ...users, ...guests]
  for (const { username, roles, call } of callers.filter((caller) => caller.kind === kind)) {
    const answer = await call(path)
    expect(answer.status, username).toBe(200)
    const own = { [username]: roles.join() }
    expect(rolesOf(answer), username).toEqual(roles.includes('ROLE_ADMIN') ? expect.objectContaining(everybody) : own)
  }
  for (const other of callers.filter((caller) => caller.kind !== kind)) {
    const refusal = other.kind.startsWith('Basic')
      ? badBasic(path)
      : other.kind === 'JWT'
        ? notAccepted(path)
        : noCredentials(path)
    expectRefusal(await other.call(path), refusal, other.kind)
  }
  for (const [username, password] of STRANGERS) {
    expectRefusal(await call(path, basic(username, password)), badBasic(path), username)
  }
}

async function expectListBody({ path, kind, title }: List, { users }: World): Promise<void> {
  for (const { username, call } of users.filter((user) => user.kind === kind)) {
    const listed = [{ username, roles: ['ROLE_USER'], enabled: true }]
    expect((await call(path)).json).toEqual({ message: title, user: username, users: listed })
  }
}

const oauth2Users = ({ users }: World) => users.filter(({ kind }) => kind === 'OAuth2 session')
const formUsers = ({ users }: World) => users.filter(({ kind }) => kind === 'form session')

/** Where a browser is sent that begins a login, and what comes of it. */
async function beginLogin(provider: string): Promise<{ browser: Browser; address: URL }> {
  const browser = openBrowser()
  const { status, headers } = await browser.start(provider)
  expect(status).toBe(302)
  return { browser, address: new URL(String(headers['location'])) }
}

const GRACE = { email: null, name: 'Grace User', picture: 'https://pictures.example/grace.png' }

export const profileEndpointChecks = {
  '4.1/jdbc-users': (world) => expectList(JDBC, world),
  '4.1/ldap-users': (world) => expectList(LDAP, world),

  '4.1/oauth2-profile': async (world) => {
    for (const { username, call } of oauth2Users(world)) {
      const { status, json } = await call(PROFILE)
      expect(status).toBe(200)
      expect(json).toMatchObject({ user: username, ...GRACE })
    }
    for (const { username, call } of formUsers(world)) {
      const { status, json } = await call(PROFILE)
      expect([status, json.user]).toEqual([200, username])
    }
    const others = world.users.filter(({ kind }) => !kind.endsWith('session'))
    for (const { kind, call } of others) expectRefusal(await call(PROFILE), notAccepted(PROFILE), kind)
    expectRefusal(await call(PROFILE), notAccepted(PROFILE))
  },

  '4.1/lists': async (world) => {
    const { own } = world
    if (own.includes('/api/jdbc/users')) await expectListBody(JDBC, world)
    if (own.includes('/api/ldap/users')) await expectListBody(LDAP, world)
    if (!own.includes(PROFILE)) return
    const message = 'OAuth2 Authentication Demo'
    for (const { username: user, call } of oauth2Users(world)) {
      const attributes = expect.objectContaining({ sub: '110000000000000000002', email: 'admin@example.com' })
      expect((await call(PROFILE)).json).toEqual({ message, user, provider: 'google', ...GRACE, attributes })
    }
    for (const { username: user, call } of formUsers(world)) {
      expect((await call(PROFILE)).json).toEqual({ message, user, authorities: [{ authority: 'ROLE_USER' }] })
    }
  },

  '4.1/oauth2-paths': async () => {
    for (const provider of ['google', 'github', 'facebook']) {
      const { browser, address } = await beginLogin(provider)
      const callback = `/login/oauth2/code/${provider}`
      expect(address.origin).toBe(served('ready').idp?.[provider as 'google'])
      expect(address.searchParams.get('redirect_uri')).toBe(`${served('http')}${callback}`)
      const arrival = await browser.chooseAt(address.href, providerUser(provider, 'ROLE_USER'))
      expect(arrival.pathname).toBe(callback)
      const answer = await browser.get(`${arrival.pathname}${arrival.search}`)
      expect([answer.status, answer.headers['location']]).toEqual([302, '/'])
      const refused = await openBrowser().get(`${callback}?code=x&state=y`)
      expect([refused.status, refused.headers['location']]).toEqual([
        302,
        `/login?error=provider&id=${provider}&fault=person`,
      ])
    }
    const path = '/oauth2/authorization/nobody'
    expectRefusal(await call(path), unknownPath(path))
  },
} satisfies Checks<'4.1'>
