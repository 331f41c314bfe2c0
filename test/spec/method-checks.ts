import { expect } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { cookieLine } from '../support/browser-client.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { bearer, call, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'
import { served } from '../support/served.ts'
import { loggedIn } from './callers.ts'
import type { Checks } from './checks.ts'
import { badBasic, csrfRefused, expectRefusal } from './refusals.ts'

const INFO = '/api/auth/info'
const DAY_SECONDS = 86_400

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const methodChecks = {
  '5/jwt': async ({ store }) => {
    const username = `${store}user`
    const login = await call('/api/auth/login', form({ username, password: demoUser(username).password }))
    expect(login.headers['set-cookie']).toBeUndefined()
    const { token } = login.json
    const { iat, exp } = claimsOf(token)
    expect(exp - iat).toBe(DAY_SECONDS)
    for (const path of [INFO, '/api/user/secure']) expect((await call(path, bearer(token))).status).toBe(200)
    const ofNobody = bearer(forge(claims({ sub: 'in no store', role: 'ROLE_USER' })))
    expect((await call(INFO, ofNobody)).json, 'stateless').toMatchObject({ username: 'in no store' })
  },

  '5/basic': async ({ own }) => {
    for (const [path, username] of [
      ['/api/jdbc/users', 'jdbcuser'],
      ['/api/ldap/users', 'ldapuser'],
    ] as const) {
      if (!own.includes(path)) continue
      const plain = `${username}:${demoUser(username).password}`
      const encoded = Buffer.from(plain).toString('base64')
      const answer = await call(path, { headers: { authorization: `Basic ${encoded}` } })
      expect([answer.status, answer.json.user]).toEqual([200, username])
      for (const wrong of [plain, Buffer.from(plain.replace(':', '')).toString('base64'), `${encoded}%`]) {
        expectRefusal(await call(path, { headers: { authorization: `Basic ${wrong}` } }), badBasic(path))
      }
    }
  },

  '5/oauth2': async () => {
    for (const provider of ['google', 'github', 'facebook'] as const) {
      const browser = openBrowser()
      const { status, headers } = await browser.start(provider)
      const address = new URL(String(headers['location']))
      expect([status, address.origin]).toEqual([302, served('ready').idp?.[provider]])
      const isOpenId = provider === 'google'
      expect(address.searchParams.get('scope')?.split(' ').includes('openid')).toBe(isOpenId)
      expect(address.searchParams.has('nonce')).toBe(isOpenId)

      const username = providerUser(provider, 'ROLE_USER')
      const { pathname, search } = await browser.chooseAt(address.href, username)
      expect(cookieLine(await browser.get(`${pathname}${search}`), 'JSESSIONID')).toMatch(/^JSESSIONID=[\w-]{43}; /)
      const principalType = isOpenId ? 'OidcUser' : 'OAuth2User'
      expect((await browser.get(INFO)).json).toMatchObject({ username, authType: 'OAuth2', principalType })
    }
  },

  '5/session': async ({ store }) => {
    const [client, other] = [await loggedIn(`${store}user`), await loggedIn(`${store}admin`)]
    expect((await client.call(INFO)).json.username).toBe(`${store}user`)
    for (const headers of [{}, { 'x-xsrf-token': 'a.b' }, other.csrf()]) {
      expectRefusal(await client.call('/logout', { method: 'POST', headers }), csrfRefused('/logout'))
    }
    const logout = await client.call('/logout', { method: 'POST', headers: client.csrf() })
    expect([logout.status, logout.headers['location']]).toEqual([302, '/login?logout'])
    expect((await client.call(INFO)).status).toBe(401)
  },
} satisfies Checks<'5'>
