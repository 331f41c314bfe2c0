import { beforeAll, describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { basic, bearer, call } from '../support/client.ts'
import { forge } from '../support/forge.ts'

const PATH = '/api/live-ticket'
const POST = { method: 'POST' } as const

describe('POST /api/live-ticket', () => {
  let browser: CookieClient
  beforeAll(async () => {
    browser = new CookieClient()
    await browser.login('user', demoUser('user').password)
  })
  const issue = (headers = browser.csrf()) => browser.call(PATH, { ...POST, headers })

  it('creates a ticket for a page, valid for a minute', async () => {
    const before = Date.now()
    const { status, json, headers } = await issue()
    expect([status, headers['location']]).toEqual([201, undefined])
    expect(Object.keys(json)).toEqual(['ticket', 'expiresAt'])
    const seconds = (Date.parse(json.expiresAt) - before) / 1000
    expect([seconds >= 60, seconds < 90]).toEqual([true, true])
  })

  it('S22 a ticket is not accepted as a session or a token, and is in no list', async () => {
    const { json } = await issue()
    for (const headers of [
      { cookie: `JSESSIONID=${json.ticket}` },
      { authorization: `Ticket ${json.ticket}` },
      bearer(json.ticket).headers ?? {},
    ]) {
      expect((await call('/api/auth/info', { headers })).status).toBe(401)
    }
    const listed = await browser.call('/api/account/sessions')
    expect(listed.status).toBe(200)
    for (const { authType } of listed.json.sessions) expect(authType).toBe('FORM')
  })

  it('S16 is for sessions only: a token or a password is refused', async () => {
    for (const { headers = {} } of [bearer(forge()), basic('user', demoUser('user').password), {}]) {
      const { status, json } = await call(PATH, { ...POST, headers })
      expect([status, json.message]).toEqual([401, 'Authentication required'])
    }
  })

  it('S02 is for the pages of that session: 403 without its CSRF token, or from elsewhere', async () => {
    expect((await issue({})).status).toBe(403)
    expect((await issue({ ...browser.csrf(), origin: 'https://evil.example' })).status).toBe(403)
  })
})
