import { describe, expect, inject, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { openBrowser, providerUser, setCookiesOf } from '../support/browserless-login.ts'
import { call, form } from '../support/client.ts'
import { inFull } from '../support/full-runs.ts'

const PROVIDERS = ['google', 'github', 'facebook'] as const

const PROFILES = [
  {
    user: 'google:110000000000000000001',
    email: 'ada@example.com',
    name: 'Ada Admin',
    picture: 'https://pictures.example/ada.png',
    attributes: { sub: '110000000000000000001', email: 'ada@example.com', email_verified: true, name: 'Ada Admin' },
  },
  {
    user: 'google:110000000000000000002',
    email: null,
    name: 'Grace User',
    picture: 'https://pictures.example/grace.png',
    attributes: { sub: '110000000000000000002', email: 'admin@example.com', email_verified: false },
  },
  {
    user: 'github:5001',
    email: 'octavia@example.com',
    name: 'Octavia Admin',
    picture: 'https://pictures.example/octavia.png',
    attributes: { id: 5001, login: 'octo-admin', name: 'Octavia Admin' },
  },
  {
    user: 'github:5002',
    email: null,
    name: 'octo-user',
    picture: 'https://pictures.example/octo.png',
    attributes: { id: 5002, login: 'octo-user' },
  },
  {
    user: 'facebook:90000000000001',
    email: 'felix@example.com',
    name: 'Felix Admin',
    picture: 'https://pictures.example/felix.png',
    attributes: { id: '90000000000001', name: 'Felix Admin', email: 'felix@example.com' },
  },
  {
    user: 'facebook:90000000000002',
    email: null,
    name: 'Fiona User',
    picture: null,
    attributes: { id: '90000000000002', name: 'Fiona User' },
  },
] as const

describe.each(PROVIDERS)('the login with %s', (provider) => {
  it('O04, O12 starts with state, PKCE and a redirect address that no Host header changes', async () => {
    const { status, headers } = await openBrowser().start(provider)
    expect(status).toBe(302)
    const { searchParams } = new URL(String(headers['location']))
    expect(searchParams.get('redirect_uri')).toBe(`${inject('http')}/login/oauth2/code/${provider}`)
    expect(searchParams.get('response_type')).toBe('code')
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('state')).toMatch(/^[\w-]{44}$/)
    expect(searchParams.has('nonce')).toBe(provider === 'google')

    const elsewhere = await call(`/oauth2/authorization/${provider}`, { headers: { host: 'evil.localhost' } })
    expect(new URL(String(elsewhere.headers['location'])).searchParams.get('redirect_uri')).toBe(
      `${inject('http')}/login/oauth2/code/${provider}`,
    )
  })

  it('S06 keeps its transaction in a cookie that no script can read', async () => {
    const [transaction = '', tabs = ''] = setCookiesOf(await openBrowser().start(provider))
    expect(transaction).toMatch(/^oauth2_tx_[0-7]=[\w.-]{100,1200}; /)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=600']) {
      expect(transaction.split('; ')).toContain(attribute)
      expect(tabs.split('; ')).toContain(attribute)
    }
    expect(transaction).not.toContain('Secure')
  })

  it('begins a session under a new id, clears its transaction and redirects to the requested page', async () => {
    const browser = openBrowser()
    const username = providerUser(provider, 'ROLE_USER')
    const answer = await browser.login(provider, username, '?returnTo=%2Fapi%2Fauth%2Finfo%3Fx%3D1')
    expect(answer.status).toBe(302)
    expect(answer.headers['location']).toBe('/api/auth/info?x=1')
    const session = setCookiesOf(answer).find((line) => line.startsWith('JSESSIONID=')) ?? ''
    expect(session).toMatch(/^JSESSIONID=[\w-]{43}; /)
    expect(session.split('; ')).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']))
    expect(session).not.toContain('Secure')
    expect(setCookiesOf(answer).filter((line) => line.startsWith('XSRF-TOKEN='))).toHaveLength(1)
    expect(browser.jar.all().filter(({ name }) => name.startsWith('oauth2_tx_'))).toEqual([])

    const { json } = await browser.get('/api/auth/info')
    expect(json).toMatchObject({
      username,
      authorities: [{ authority: 'ROLE_USER' }],
      authType: 'OAuth2',
      principalType: provider === 'google' ? 'OidcUser' : 'OAuth2User',
    })
    const [, first] = /JSESSIONID=([\w-]+)/.exec(session) ?? []
    const again = await browser.login(provider, username)
    expect(again.headers['location']).toBe('/')
    expect(setCookiesOf(again).join()).not.toContain(first)
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${first}` } })).status).toBe(401)
    expect((await browser.get('/api/auth/info')).status).toBe(200)
  })

  it('O16 makes only those in ADMIN_IDENTITIES administrators', async () => {
    const [admin, user] = [openBrowser(), openBrowser()]
    await admin.login(provider, providerUser(provider, 'ROLE_ADMIN'))
    await user.login(provider, providerUser(provider, 'ROLE_USER'))
    expect((await admin.get('/api/admin/secure')).status).toBe(200)
    expect((await user.get('/api/admin/secure')).status).toBe(403)
    expect((await user.get('/api/user/secure')).status).toBe(200)
  })
})

describe('GET /api/oauth2/profile', () => {
  it.each(PROFILES)(
    'shows the profile of $user from the provider, and null for each missing value',
    async (expected) => {
      const { user, attributes, ...profile } = expected
      const [provider = ''] = user.split(':')
      const browser = openBrowser()
      await browser.login(provider, user)
      const { status, json } = await browser.get('/api/oauth2/profile')
      expect(status).toBe(200)
      expect(json).toMatchObject({ message: 'OAuth2 Authentication Demo', user, provider, ...profile })
      expect(json.attributes).toMatchObject(attributes)
    },
  )

  it('shows a user of the form login their name and authorities', async () => {
    const { password } = demoUser('user')
    const { headers } = await call('/login', form({ username: 'user', password }))
    const [, id] = /JSESSIONID=([\w-]+)/.exec(String(headers['set-cookie'])) ?? []
    const { json } = await call('/api/oauth2/profile', { headers: { cookie: `JSESSIONID=${id}` } })
    expect(json).toEqual({
      message: 'OAuth2 Authentication Demo',
      user: 'user',
      authorities: [{ authority: 'ROLE_USER' }],
    })
  })

  it('answers 401 without a session', async () => {
    expect((await call('/api/oauth2/profile')).status).toBe(401)
  })
})

const BROWSERS = inFull(50)

describe('many logins at once', () => {
  it(`${BROWSERS} browsers log in in parallel`, async () => {
    const logins = Array.from({ length: BROWSERS }, async (_, index) => {
      const provider = PROVIDERS[index % 3] ?? 'google'
      const browser = openBrowser()
      const username = providerUser(provider, 'ROLE_USER')
      await browser.login(provider, username)
      const { json } = await browser.get('/api/auth/info')
      return json.username === username
    })
    expect(await Promise.all(logins)).toEqual(Array(BROWSERS).fill(true))
  })

  it('O09 50 logins that one browser starts leave a few cookies, and the latest login succeeds', async () => {
    const browser = openBrowser()
    await Promise.all(Array.from({ length: 49 }, () => browser.start('github', `?returnTo=/${'x'.repeat(299)}`)))
    const answer = await browser.login('github', providerUser('github', 'ROLE_USER'))
    expect(answer.headers['location']).toBe('/')
    expect(browser.jar.all().filter(({ name }) => name.startsWith('oauth2_tx_')).length).toBeLessThanOrEqual(8)
    expect(browser.jar.headerFor(new URL(inject('http'))).length).toBeLessThan(7000)
  })

  it('eight tabs of one browser do not disturb each other', async () => {
    const browser = openBrowser()
    const callbacks: URL[] = []
    for (let tab = 0; tab < 8; tab++) {
      callbacks.push(await browser.callbackOf('facebook', providerUser('facebook', 'ROLE_USER'), `?returnTo=/${tab}`))
    }
    for (const [tab, { pathname, search }] of callbacks.entries()) {
      expect((await browser.get(`${pathname}${search}`)).headers['location']).toBe(`/${tab}`)
    }
  })
})
