import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

type Check = 'bearer' | 'database Basic' | 'directory Basic'

/** What each profile accepts on an endpoint for any method, and which endpoints it has (spec 1.3). */
const PROFILES: Readonly<Record<string, { accepts: readonly Check[]; has: readonly string[] }>> = {
  default: {
    accepts: ['bearer', 'database Basic', 'directory Basic'],
    has: ['/api/jdbc/users', '/api/ldap/users', '/api/oauth2/profile'],
  },
  jwt: { accepts: ['bearer'], has: [] },
  jdbc: { accepts: ['database Basic'], has: ['/api/jdbc/users'] },
  ldap: { accepts: ['directory Basic'], has: ['/api/ldap/users'] },
  oauth2: { accepts: [], has: ['/api/oauth2/profile'] },
}

const PROFILED = ['/api/jdbc/users', '/api/ldap/users', '/api/oauth2/profile']
const ALL = ['/api/auth/info', '/api/admin/secure', '/api/user/secure', '/api/webhooks/events/a/b']

const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

describe.each(Object.entries(PROFILES))('PROFILE=%s', (profile, { accepts, has }) => {
  let stack: Stack

  beforeAll(async () => {
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory', PROFILE: profile })
  })
  afterAll(() => stack.stop())

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${stack.ready.http}${path}`, { headers, redirect: 'manual' })

  const userOf = (store: string) => stack.ready.users.find((user) => user.store === store && user.role === 'ROLE_USER')

  /** A user who can log in here: profile ldap knows only the directory's. */
  function login(path: string, headers: Record<string, string> = {}) {
    const { username = '', password = '' } = userOf(profile === 'ldap' ? 'ldap' : 'jdbc') ?? {}
    const body = new URLSearchParams({ username, password })
    return fetch(`${stack.ready.http}${path}`, { method: 'POST', body, headers, redirect: 'manual' })
  }

  async function credentials(check: Check): Promise<Record<string, string>> {
    if (check === 'bearer') {
      const { token } = (await (await login('/api/auth/login')).json()) as { readonly token: string }
      return { authorization: `Bearer ${token}` }
    }
    const { username = 'jdbcuser', password = 'x' } = userOf(check === 'database Basic' ? 'jdbc' : 'ldap') ?? {}
    return basic(username, password)
  }

  it.each(['bearer', 'database Basic', 'directory Basic'] as const)(
    'takes or refuses %s as it should',
    async (check) => {
      const { status } = await get('/api/user/secure', await credentials(check))
      expect(status).toBe(accepts.includes(check) ? 200 : 401)
    },
  )

  it.each(PROFILED)('has %s or answers 404', async (path) => {
    expect((await get(path)).status).toBe(has.includes(path) ? 401 : 404)
  })

  it.each(ALL)('has %s, as every profile', async (path) => {
    expect((await get(path)).status).toBe(401)
  })

  it('has the public endpoint, the login page and the webhooks', async () => {
    expect((await get('/api/public/hello')).status).toBe(200)
    expect((await get('/login')).status).toBe(200)
    expect((await get('/webhooks/payment')).status).toBe(405)
  })

  it('has the form login, whose session opens what any method opens', async () => {
    const answer = await login('/login')
    expect(answer.status).toBe(302)
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect((await get('/api/user/secure', { cookie })).status).toBe(200)
  })

  it('has OAuth2 logins or answers 404', async () => {
    const { status } = await get('/oauth2/authorization/google')
    expect(status).toBe(['default', 'oauth2'].includes(profile) ? 302 : 404)
  })
})
