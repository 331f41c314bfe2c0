import { describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { bearer, call, form } from '../support/client.ts'

const GUARDED = ['/api/auth/info', '/api/admin/secure', '/api/user/secure', '/api/jdbc/users', '/api/ldap/users']

describe('H06 another method on a protected path reveals none of its data', () => {
  it.each(GUARDED)('OPTIONS on %s: 405 without data, with and without credentials', async (path) => {
    const { headers = {} } = bearer(await tokenOf('admin'))
    for (const given of [{}, headers]) {
      const options = await call(path, { method: 'OPTIONS', headers: given })
      expect(options.status).toBe(405)
      expect(options.text).not.toContain('admin"')
    }
  })
})

describe('H07 a method outside of the request line is ignored', () => {
  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])('%s', async (name) => {
    const { headers = {} } = bearer(await tokenOf('admin'))
    const asDelete = await call('/api/auth/info', { headers: { ...headers, [name]: 'DELETE' } })
    expect(asDelete.status).toBe(200)
    const asGet = await call('/api/auth/info', { method: 'POST', headers: { ...headers, [name]: 'GET' } })
    expect(asGet.status).toBe(405)
  })

  it('_method in the query or in a form', async () => {
    const { headers = {} } = bearer(await tokenOf('admin'))
    expect((await call('/api/auth/info?_method=DELETE', { headers })).status).toBe(200)
    expect((await call('/api/public/hello?_method=GET', form('_method=GET'))).status).toBe(405)
  })
})

describe('H10, H11 headers that only gateways and proxies may send change nothing', () => {
  const SPOOFED = {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-prefix': '/api/public',
    'x-real-ip': '127.0.0.1',
    forwarded: 'for=127.0.0.1;host=evil.example;proto=https',
    'x-original-url': '/api/public/hello',
    'x-rewrite-url': '/api/public/hello',
    'x-amzn-remapped-host': 'evil.example',
  }

  it.each(['x-amzn-remapped-authorization', 'x-authorization', 'proxy-authorization', 'x-forwarded-authorization'])(
    'H10 a valid token in %s counts as no credentials',
    async (name) => {
      const { status, json } = await call('/api/admin/secure', {
        headers: { [name]: `Bearer ${await tokenOf('admin')}` },
      })
      expect(status).toBe(401)
      expect(json.message).toBe('Authentication required')
    },
  )

  it.each(GUARDED)('H11 %s stays closed', async (path) => {
    expect((await call(path, { headers: SPOOFED })).status).toBe(401)
  })

  it('H11, O12 no redirect, cookie or error contains a host name from them', async () => {
    const client = new CookieClient()
    const { headers, ...request } = form({ username: 'nobody', password: 'x' })
    const refused = await call('/login', { ...request, headers: { ...headers, ...SPOOFED, accept: 'text/html' } })
    expect(refused.headers['location']).toBe('/login?error')
    const page = await client.call('/login', { headers: SPOOFED })
    expect(`${page.text}${JSON.stringify(page.headers)}`).not.toContain('evil.example')
    const start = await call('/oauth2/authorization/github', { headers: SPOOFED })
    const { searchParams } = new URL(String(start.headers['location']))
    expect(searchParams.get('redirect_uri')).toBe(`${inject('http')}/login/oauth2/code/github`)
  })
})

describe('H12 a bearer header of any form is answered', () => {
  it.each([
    ['the scheme alone', 'Bearer', 'MISSING'],
    ['the scheme and a space', 'Bearer ', 'MISSING'],
    ['the scheme and a tab', 'Bearer\t', 'MISSING'],
    ['a tab and no token of ours, which is another scheme', 'Bearer\tx', 'none'],
    ['small letters and no token of ours', 'bearer x', 'MALFORMED'],
    ['a comma list that names no second scheme', 'Bearer a,b', undefined],
    ['9 KB', `Bearer ${'a'.repeat(9000)}`, 'MALFORMED'],
  ])('%s', async (_, authorization, tokenStatus) => {
    const { status, json } = await call('/api/user/secure', { headers: { authorization } })
    expect(status).toBe(tokenStatus === undefined ? 400 : 401)
    if (tokenStatus !== undefined) expect(json.details?.tokenStatus ?? 'none').toBe(tokenStatus)
  })

  it('64 KiB, more than Node reads of a header: 400', async () => {
    const headers = { authorization: `Bearer ${'a'.repeat(65_536)}` }
    expect((await call('/api/user/secure', { headers }, { isGatewayAllowed: true })).status).toBe(400)
  })
})

describe('H35 personal data is stored in no cache', () => {
  it.each(['/a.css', '.css', ';a.css', '%2Fa.css', '%3Fa.css', '%0Aa.css', '%00.css', '//a.css'])(
    'under a path that ends with %s: 404',
    async (ending) => {
      for (const path of ['/api/auth/info', '/api/oauth2/profile']) {
        const { status, headers } = await call(`${path}${ending}`, bearer(await tokenOf('admin')))
        expect(status).toBe(404)
        expect(headers['cache-control']).toContain('no-store')
      }
    },
  )

  it('under its own', async () => {
    const { headers } = await call('/api/auth/info', bearer(await tokenOf('admin')))
    expect(headers['cache-control']).toContain('no-store')
  })
})

it.each(['/openapi.json', '/docs', '/api/public/hello'])(
  'H37 a thousand ranges of %s are answered once with the whole content',
  async (path) => {
    const whole = await call(path)
    const { status, headers, text } = await call(path, { headers: { range: `bytes=${'0-,'.repeat(999)}0-` } })
    expect([status, headers['content-range']]).toEqual([200, undefined])
    expect(text.length).toBe(whole.text.length)
  },
)

it.each(['/<script>alert(1)</script>', '/api/<img%20src=x>', '/webhooks/<svg onload=alert(1)>'.replace(' ', '%20')])(
  'H38 the path of an error is not markup: %s',
  async (path) => {
    const { status, headers, json } = await call(path)
    expect([status, headers['x-content-type-options']]).toEqual([404, 'nosniff'])
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(json.path).toBe(path)
    const page = await call(path, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers['x-content-type-options']]).toEqual([404, 'nosniff'])
    expect(page.text).toContain(`GET ${path.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`)
    expect(page.text).not.toMatch(/<(?:script|img|svg(?! class="i))/)
  },
)
