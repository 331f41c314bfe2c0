import { beforeAll, describe, expect, it } from 'vitest'
import { sessionKey } from '../../lib/auth/session.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient, cookieLine } from '../support/browser-client.ts'
import { bearer, call, form } from '../support/client.ts'
import { putRow, storedRow } from '../support/local-tables.ts'
import { meanwhile } from '../support/meanwhile.ts'

async function loggedIn(username = 'jdbcuser'): Promise<CookieClient> {
  const client = new CookieClient()
  await client.login(username, demoUser(username).password)
  return client
}

describe('auth-53: form login', () => {
  it('S06 on success a session is created, the client is redirected home and JSESSIONID is set', async () => {
    const client = new CookieClient()
    const isMeanwhile = meanwhile()
    const answer = await client.login('admin', demoUser('admin').password)
    expect(answer.status).toBe(302)
    expect(answer.headers['location']).toBe('/')
    const [session, ...attributes] = cookieLine(answer, 'JSESSIONID').split('; ')
    expect(session).toMatch(/^JSESSIONID=[\w-]{43}$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    expect(cookieLine(answer, 'XSRF-TOKEN')).not.toContain('HttpOnly')
    const { json } = await client.call('/api/auth/info')
    expect(json).toMatchObject({ username: 'admin', authType: 'FORM', principalType: 'DatabaseUser' })
    expect(Date.parse(json.sessionExpiresAt) - 30 * 60_000).toSatisfy(isMeanwhile)
    expect((await client.call('/')).text).toContain('admin')
  })

  it('S01 every login gets a new id, and the former one ends', async () => {
    const client = await loggedIn()
    const first = client.cookies.get('JSESSIONID')
    await client.login('jdbcuser', demoUser('jdbcuser').password)
    expect(client.cookies.get('JSESSIONID')).not.toBe(first)
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${first}` } })).status).toBe(401)
  })

  it('on failure no session is created: 401 for a program', async () => {
    const answer = await new CookieClient().login('admin', 'wrong')
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ message: 'Invalid username or password', details: { authType: 'Login' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

it('a session that is used after a while is extended from that time', async () => {
  const client = await loggedIn()
  const key = { sessionKey: sessionKey(client.cookies.get('JSESSIONID') ?? '') }
  const started = Date.now() - 10 * 60_000
  await putRow('sessions', { ...(await storedRow('sessions', key)), createdAt: started, lastSeenAt: started })
  const isMeanwhile = meanwhile()
  const { json } = await client.call('/api/auth/info')
  expect(Date.parse(json.sessionExpiresAt) - 30 * 60_000).toSatisfy(isMeanwhile)
  expect(await storedRow('sessions', key)).toMatchObject({
    createdAt: started,
    lastSeenAt: expect.toSatisfy(isMeanwhile),
  })
})

it('S03, S04 a session cookie without a live session is ignored', async () => {
  const { status, json } = await call('/api/auth/info', { headers: { cookie: 'JSESSIONID=AAAA' } })
  expect([status, json.message]).toEqual([401, 'Authentication required'])
})

describe('logging out', () => {
  it('S04, S08 ends the session and leads to the login page, but requires more than a link', async () => {
    const client = await loggedIn()
    expect((await client.call('/logout')).status).toBe(405)
    expect((await client.call('/logout?everywhere=true', { method: 'HEAD' })).status).toBe(405)
    expect((await client.call('/api/auth/info')).status).toBe(200)
    const kept = client.cookies.get('JSESSIONID')
    const answer = await client.call('/logout', { method: 'POST', headers: client.csrf() })
    expect(answer.headers['location']).toBe('/login?logout')
    expect(client.cookies.has('JSESSIONID')).toBe(false)
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${kept}` } })).status).toBe(401)
  })
})

describe('S02 CSRF protection applies to a session', () => {
  let client: CookieClient
  beforeAll(async () => {
    client = await loggedIn('jdbcadmin')
  })

  it('S02, S12 a change requires the session’s token, and from another site not even that is enough', async () => {
    for (const [message, headers] of [
      ['Invalid CSRF token', {}],
      ['Invalid CSRF token', { 'x-xsrf-token': 'a.b' }],
      ['Origin is not trusted', { ...client.csrf(), 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const { status, json } = await client.call('/logout', { method: 'POST', headers })
      expect(status).toBe(403)
      expect(json).toMatchObject({ error: 'Access Denied', message })
    }
    expect((await client.call('/api/auth/info')).status).toBe(200)
  })

  it('S02 protects the login as well: another site, or a page without the token, cannot log a user in', async () => {
    const { headers, ...request } = form({ username: 'jdbcuser', password: demoUser('jdbcuser').password })
    const foreign = { ...headers, origin: 'https://evil.example' }
    expect((await call('/login', { ...request, headers: foreign })).status).toBe(403)
    const answer = await client.call('/login', { ...request, headers: { ...headers } })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    expect((await client.call('/api/auth/info')).json.username).toBe('jdbcadmin')
  })

  it('the field of a form is as good as the header', async () => {
    const visitor = await loggedIn()
    const page = await visitor.call('/')
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page.text) ?? []
    expect((await visitor.call('/logout', form({ _csrf: token }))).status).toBe(302)
  })
})

it('S16 GET /api/oauth2/profile shows a form session its user, and accepts no other kind of credentials', async () => {
  const { status, json } = await (await loggedIn()).call('/api/oauth2/profile')
  expect(status).toBe(200)
  expect(json).toMatchObject({ user: 'jdbcuser', authorities: [{ authority: 'ROLE_USER' }] })
  expect((await call('/api/oauth2/profile', bearer(await tokenOf('admin')))).status).toBe(401)
})

describe('the pages', () => {
  it('under another loopback name they redirect to the base URL', async () => {
    const { status, headers } = await call('/login?error', { headers: { host: 'localhost:1' } })
    expect(status).toBe(302)
    expect(headers['location']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?error/)
  })

  it('H27 a foreign Host changes nothing', async () => {
    for (const path of ['/', '/login', '/docs']) {
      const { status, text, headers } = await call(path, { headers: { host: 'evil.localhost' } })
      expect(status).toBe(200)
      expect(text + JSON.stringify(headers)).not.toContain('evil.localhost')
    }
  })
})
