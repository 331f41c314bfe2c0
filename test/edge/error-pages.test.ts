import { describe, expect, inject, it } from 'vitest'
import { CookieClient } from '../support/browser-client.ts'
import { call } from '../support/client.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('a browser that navigates', () => {
  it.each([
    ['nowhere', '/nowhere', 404, 'There is no page here'],
    ['to an unknown address of the API', '/api/nothing', 404, 'There is no page here'],
    ['to a page that does not exist', '/console/nothing', 404, 'There is no page here'],
    ['to a file that does not exist', '/assets/nothing.css', 404, 'There is no page here'],
    ['to an endpoint for programs', '/api/auth/login', 405, 'This address is not a page'],
    ['to a webhook', '/webhooks/payment', 405, 'This address is not a page'],
  ])('%s receives a page: %s', async (_, path, status, title) => {
    const { status: answered, headers, text } = await call(path, { headers: BROWSER })
    expect([answered, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain(`<h1 class="hero">${title}</h1>`)
    expect(text).toContain('href="/"')
    const style = /href="(\/assets\/style[^"]+)"/.exec(text)?.[1] ?? ''
    expect((await call(style)).status).toBe(200)
  })

  it.each([
    ['/docs/', '/docs'],
    ['/login/?error', '/login?error'],
    ['/console/webhooks/?status=FAILED', '/console/webhooks?status=FAILED'],
    ['/console/', '/console/webhooks'],
    ['/console', '/console/webhooks'],
    ['/favicon.ico', expect.stringMatching(/^\/assets\/icon-\w+\.svg$/)],
  ])('to %s is redirected to the page that it means', async (path, location) => {
    // No description names these addresses.
    const { status, headers } = await fetch(new URL(path, inject('http')), { headers: BROWSER, redirect: 'manual' })
    expect([status, headers.get('location'), headers.get('content-type')]).toEqual([302, location, null])
    expect((await call(String(headers.get('location')))).status).toBe(200)
  })

  it('O20 to a provider from a script of another site receives an error page and no cookie', async () => {
    const forced = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const path = '/oauth2/authorization/github?returnTo=/console/token'
    const { status, headers, text } = await call(path, { headers: { ...BROWSER, ...forced } })
    expect([status, headers['set-cookie'], headers['location']]).toEqual([403, undefined, undefined])
    expect(text).toContain('<h1 class="hero">Another site began this login</h1>')
    const { json } = await call(path, { headers: forced })
    expect(json).toMatchObject({ status: 403, message: 'A page of another site cannot begin a login' })
    const followed = await call(path, { headers: { ...BROWSER, ...forced, 'sec-fetch-user': '?1' } })
    expect(followed.status).toBe(302)
  })
})

describe('a login by the form redirects', () => {
  const logIn = (returnTo: string, password = 'user-demo', client = new CookieClient()) => {
    const body = new URLSearchParams({ username: 'user', password, returnTo }).toString()
    const headers = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' }
    return client.call('/login', { method: 'POST', headers, body })
  }

  it('to the requested page', async () => {
    const { status, headers } = await logIn('/console/webhooks?status=FAILED')
    expect([status, headers['location']]).toEqual([302, '/console/webhooks?status=FAILED'])
  })

  it('A10 to the requested page as well after a failed try, which keeps the user name', async () => {
    const client = new CookieClient()
    const refused = await logIn('/console/token', 'wrong', client)
    expect(client.cookies.get('login_name')).toBe('user')
    expect(refused.headers['location']).toBe('/login?error&returnTo=%2Fconsole%2Ftoken')
    const { text } = await client.call(String(refused.headers['location']))
    expect(text).toMatch(/<input id="username" [^>]* value="user">/)
    expect(client.cookies.has('login_name')).toBe(false)
    expect(text).toContain('<input type="hidden" name="returnTo" value="/console/token">')
    expect(text).toContain('href="/oauth2/authorization/github?returnTo=%2Fconsole%2Ftoken"')
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'https:evil.example', '/\t/evil.example'])(
    'S05 to the start page instead of %j',
    async (returnTo) => {
      expect((await logIn(returnTo)).headers['location']).toBe('/')
      const { text } = await call(`/login?returnTo=${encodeURIComponent(returnTo)}`)
      expect(text).not.toContain('evil')
    },
  )
})

it('an answer without a body has no content type: a redirect, and 204', async () => {
  const { status, headers } = await call('/oauth2/authorization/github')
  expect([status, headers['content-type']]).toEqual([302, undefined])
})
