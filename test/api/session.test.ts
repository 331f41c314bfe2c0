import { describe, expect, it } from 'vitest'
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

  it('on failure no session is created: 401 for a program', async () => {
    const answer = await new CookieClient().login('admin', 'wrong')
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ message: 'Invalid username or password', details: { authType: 'Login' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('on failure a browser is redirected to the form', async () => {
    const { headers, ...request } = form({ username: 'admin', password: 'wrong' })
    const answer = await call('/login', { ...request, headers: { ...headers, accept: 'text/html,*/*' } })
    expect(answer.status).toBe(302)
    expect(answer.headers['location']).toBe('/login?error')
    expect((await call('/login?error')).text).toContain('role="alert"')
  })

  it('S01 every login gets a new id, whatever id the client sent', async () => {
    const client = new CookieClient()
    client.cookies.set('JSESSIONID', 'planted-by-somebody-else')
    await client.login('jdbcuser', demoUser('jdbcuser').password)
    const first = client.cookies.get('JSESSIONID')
    expect(first).not.toBe('planted-by-somebody-else')
    await client.login('jdbcuser', demoUser('jdbcuser').password)
    expect(client.cookies.get('JSESSIONID')).not.toBe(first)
    const headers = { cookie: `JSESSIONID=${first}` }
    expect((await call('/api/auth/info', { headers })).status).toBe(401)
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

describe('S03, S04 a session cookie without a live session is ignored', () => {
  it.each([
    ['forged', 'JSESSIONID=AAAA'],
    ['empty', 'JSESSIONID='],
    ['under another name', '__Host-JSESSIONID=x'],
  ])('%s', async (_, cookie) => {
    const { status, json } = await call('/api/auth/info', { headers: { cookie } })
    expect(status).toBe(401)
    expect(json.message).toBe('Authentication required')
  })

  it('repeated, it is ignored', async () => {
    const client = await loggedIn()
    const id = client.cookies.get('JSESSIONID')
    const headers = { cookie: `JSESSIONID=${id}; JSESSIONID=other` }
    expect((await call('/api/auth/info', { headers })).status).toBe(401)
  })
})

describe('logging out', () => {
  it('S04 ends the session and leads to the login page', async () => {
    const client = await loggedIn()
    const kept = client.cookies.get('JSESSIONID')
    const answer = await client.call('/logout', { method: 'POST', headers: client.csrf() })
    expect(answer.headers['location']).toBe('/login?logout')
    expect(client.cookies.has('JSESSIONID')).toBe(false)
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${kept}` } })).status).toBe(401)
  })

  it('S08 requires more than a link', async () => {
    const client = await loggedIn()
    expect((await client.call('/logout')).status).toBe(405)
    expect((await client.call('/logout?everywhere=true', { method: 'HEAD' })).status).toBe(405)
    expect((await client.call('/api/auth/info')).status).toBe(200)
  })

  it('S13 everywhere ends every session of the user, and of no other user', async () => {
    const [one, other, somebody] = [await loggedIn(), await loggedIn(), await loggedIn('jdbcadmin')]
    await one.call('/logout?everywhere=true', { method: 'POST', headers: one.csrf() })
    expect((await other.call('/api/auth/info')).status).toBe(401)
    expect((await somebody.call('/api/auth/info')).status).toBe(200)
  })
})

describe('S02 CSRF protection applies to a session', () => {
  it('a change requires the session’s token', async () => {
    const client = await loggedIn()
    for (const headers of [{}, { 'x-xsrf-token': 'a.b' }, (await loggedIn('jdbcadmin')).csrf()]) {
      const { status, json } = await client.call('/logout', { method: 'POST', headers })
      expect(status).toBe(403)
      expect(json).toMatchObject({ error: 'Access Denied', message: 'Invalid CSRF token' })
    }
    expect((await client.call('/api/auth/info')).status).toBe(200)
  })

  it('S02 protects the login as well: another site, or a page without the token, cannot log a user in', async () => {
    const client = await loggedIn()
    const { password } = demoUser('jdbcadmin')
    const { headers, ...request } = form({ username: 'jdbcadmin', password })
    const foreign = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]
    for (const more of foreign) {
      expect((await call('/login', { ...request, headers: { ...headers, ...more } })).status).toBe(403)
    }
    for (const more of [{}, { 'x-xsrf-token': 'a.b' }]) {
      const answer = await client.call('/login', { ...request, headers: { ...headers, ...more } })
      expect(answer.status).toBe(403)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect((await client.call('/api/auth/info')).json.username).toBe('jdbcuser')
  })

  it('in a header or in a field of a form', async () => {
    const client = await loggedIn()
    const page = await client.call('/')
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page.text) ?? []
    expect((await client.call('/logout', form({ _csrf: token }))).status).toBe(302)
  })

  it.each(['cross-site', 'same-site'])('S12 from another site (%s) not even with the token', async (site) => {
    const client = await loggedIn()
    const headers = { ...client.csrf(), 'sec-fetch-site': site }
    expect((await client.call('/logout', { method: 'POST', headers })).status).toBe(403)
  })

  it('S07 a bearer call needs none, and its session is ignored', async () => {
    const client = await loggedIn('jdbcadmin')
    const { headers } = bearer(await tokenOf('user'))
    const { json } = await client.call('/api/auth/info', { headers: headers ?? {} })
    expect(json.username).toBe('user')
    const created = await client.call('/api/users', { method: 'POST', headers: headers ?? {} })
    expect(created.status).toBe(403)
    expect(created.json.message).toBe('Method access denied')
  })
})

describe('GET /api/oauth2/profile', () => {
  it('shows a form session its user and authorities', async () => {
    const { status, json } = await (await loggedIn()).call('/api/oauth2/profile')
    expect(status).toBe(200)
    expect(json).toMatchObject({ user: 'jdbcuser', authorities: [{ authority: 'ROLE_USER' }] })
  })

  it('S16 accepts no other kind of credentials', async () => {
    expect((await call('/api/oauth2/profile', bearer(await tokenOf('admin')))).status).toBe(401)
  })
})

describe('the pages', () => {
  it.each(['/', '/login'])('GET %s is 200 for anyone, with a Content-Security-Policy', async (path) => {
    const { status, headers } = await call(path)
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('under another loopback name they redirect to the base URL', async () => {
    const { status, headers } = await call('/login?error', { headers: { host: 'localhost:1' } })
    expect(status).toBe(302)
    expect(headers['location']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?error/)
  })

  it.each(['/', '/login', '/docs'])('H27 a foreign Host changes nothing: %s', async (path) => {
    const { status, text, headers } = await call(path, { headers: { host: 'evil.localhost' } })
    expect(status).toBe(200)
    expect(text + JSON.stringify(headers)).not.toContain('evil.localhost')
  })
})
