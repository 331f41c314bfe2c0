import { describe, expect, inject, it } from 'vitest'
import { openBrowser, providerUser, setCookiesOf } from '../support/browserless-login.ts'
import { call } from '../support/client.ts'

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
    user: 'github:5001',
    email: 'octavia@example.com',
    name: 'Octavia Admin',
    picture: 'https://pictures.example/octavia.png',
    attributes: { id: 5001, login: 'octo-admin', name: 'Octavia Admin' },
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
  it('O04, O12, S06 starts with state, PKCE, a redirect address that no Host header changes, and a cookie for no script', async () => {
    const start = await openBrowser().start(provider)
    const { status, headers } = start
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
    const [transaction = '', tabs = ''] = setCookiesOf(start)
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
    expect((await browser.get('/api/admin/secure')).status).toBe(403)
  })
})

it('O16 those in ADMIN_IDENTITIES are administrators', async () => {
  const browser = openBrowser()
  await browser.login('google', providerUser('google', 'ROLE_ADMIN'))
  expect((await browser.get('/api/admin/secure')).status).toBe(200)
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

  it('answers 401 without a session', async () => {
    expect((await call('/api/oauth2/profile')).status).toBe(401)
  })
})

it('O09 50 logins that one browser starts leave a few cookies, and the latest login succeeds', async () => {
  const browser = openBrowser()
  await Promise.all(Array.from({ length: 49 }, () => browser.start('github', `?returnTo=/${'x'.repeat(299)}`)))
  const answer = await browser.login('github', providerUser('github', 'ROLE_USER'))
  expect(answer.headers['location']).toBe('/')
  expect(browser.jar.all().filter(({ name }) => name.startsWith('oauth2_tx_')).length).toBeLessThanOrEqual(8)
  expect(browser.jar.headerFor(new URL(inject('http'))).length).toBeLessThan(7000)
})
