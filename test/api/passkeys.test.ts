import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import type { Authenticator } from '../support/authenticator.ts'
import { CookieClient, cookieLine } from '../support/browser-client.ts'
import { basic, bearer, call } from '../support/client.ts'
import { forge } from '../support/forge.ts'
import { addPasskey, authenticatorHere, passkeyLogIn, postAs } from '../support/passkeys.ts'

const PATH = '/api/passkeys'
const PASSWORD = 'pässword of eve'
const ADMIN = bearer(forge()).headers ?? {}
const REFUSED = {
  status: 401,
  json: { error: 'Unauthorized', details: { authType: 'Passkey', reason: 'Bad credentials' } },
}

interface Owner {
  readonly id: string
  readonly username: string
  readonly browser: CookieClient
}

async function newOwner(): Promise<Owner> {
  const username = `p-${randomUUID()}`
  const body = JSON.stringify({ username, password: PASSWORD, role: 'ROLE_USER' })
  const headers = { ...ADMIN, 'content-type': 'application/json' }
  const { json } = await call('/api/users', { method: 'POST', headers, body })
  const browser = new CookieClient()
  await browser.login(username, PASSWORD)
  return { id: json.id, username, browser }
}

const list = async ({ browser }: Pick<Owner, 'browser'>) => (await browser.call(PATH)).json.passkeys

describe('the passkeys of an account', () => {
  let owner: Owner
  beforeAll(async () => {
    owner = await newOwner()
  })

  it('are added, listed without a key, and removed', async () => {
    const before = Date.now()
    const { status, json, headers } = await addPasskey(owner.browser, authenticatorHere(), 'my laptop')
    expect([status, Object.keys(json), json.name]).toEqual([201, ['id', 'name', 'createdAt'], 'my laptop'])
    expect(headers['location']).toBeUndefined()
    expect(Date.parse(json.createdAt)).toBeGreaterThanOrEqual(before)
    await addPasskey(owner.browser, authenticatorHere(), 'phone')
    const shown = await list(owner)
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(['phone', 'my laptop'])
    expect(shown[1]).toEqual({ ...json, lastUsedAt: null })
    const remove = () => owner.browser.call(`${PATH}/${json.id}`, { method: 'DELETE', headers: owner.browser.csrf() })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect(await list(owner)).toHaveLength(1)
  })

  it('Y06 are hidden from other users, who cannot remove them', async () => {
    const [passkey] = await list(owner)
    const browser = new CookieClient()
    await browser.login('user', demoUser('user').password)
    expect(await list({ browser })).toEqual([])
    const { status } = await browser.call(`${PATH}/${passkey.id}`, { method: 'DELETE', headers: browser.csrf() })
    expect(status).toBe(404)
    expect(await list(owner)).toContainEqual(passkey)
  })

  it('Y02 400 for an invalid name, which leaves the challenge valid, and for a repeated credential', async () => {
    const { browser } = owner
    const { json: options } = await postAs(browser, `${PATH}/registration/options`)
    const credential = authenticatorHere().create(options)
    const fieldOf = async (name: unknown) => {
      const { status, json } = await postAs(browser, `${PATH}/registration`, { name, credential })
      return [status, json.details?.validationErrors[0].field]
    }
    for (const name of ['', 'x'.repeat(65), 'a\nb', 1]) expect(await fieldOf(name)).toEqual([400, 'name'])
    expect(await fieldOf('x')).toEqual([201, undefined])
    expect(await fieldOf('x')).toEqual([400, 'credential'])
  })

  it('S16 are only for sessions, and only for pages of that session', async () => {
    for (const { headers = {} } of [bearer(forge()), basic('user', demoUser('user').password), {}]) {
      for (const [method, path] of [
        ['GET', PATH],
        ['POST', `${PATH}/registration/options`],
        ['POST', `${PATH}/registration`],
        ['DELETE', `${PATH}/x`],
      ] as const)
        expect((await call(path, { method, headers })).json.message).toBe('Authentication required')
    }
    for (const path of [`${PATH}/registration/options`, `${PATH}/registration`])
      expect((await owner.browser.call(path, { method: 'POST' })).status).toBe(403)
  })
})

describe('POST /login/passkey', () => {
  let owner: Owner
  let authenticator: Authenticator
  beforeAll(async () => {
    owner = await newOwner()
    authenticator = authenticatorHere()
    await addPasskey(owner.browser, authenticator)
  })

  it('begins a session, and ends the former session of the browser', async () => {
    const browser = new CookieClient()
    await browser.login('user', demoUser('user').password)
    const former = browser.cookies.get('JSESSIONID')
    const answer = await passkeyLogIn(browser, authenticator, {}, '//evil.example')
    expect(answer).toMatchObject({ status: 200, json: { redirect: '/' } })
    expect(cookieLine(answer, 'JSESSIONID')).toMatch(/; HttpOnly.*SameSite=Lax/i)
    const { json } = await browser.call('/api/auth/info')
    expect(json).toMatchObject({ username: owner.username, authType: 'PASSKEY', principalType: 'DatabaseUser' })
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${former}` } })).status).toBe(401)
    const { json: shown } = await browser.call('/api/account/sessions')
    expect(shown.sessions.map(({ authType }: { authType: string }) => authType).sort()).toEqual(['FORM', 'PASSKEY'])
    const [passkey] = await list(owner)
    expect(Date.parse(passkey.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(passkey.createdAt))
  })

  it('Y01 401 for a page of another origin; the audit trail has a row for each: added, logged in, refused', async () => {
    const since = new Date().toISOString()
    const foreign = { origin: 'https://evil.example' }
    expect(await passkeyLogIn(new CookieClient(), authenticator, foreign)).toMatchObject(REFUSED)
    const rows = async (query: string) => (await call(`/api/audit?limit=200&${query}`, { headers: ADMIN })).json.entries
    const about = `actor=${owner.id}`
    expect(await rows(`action=passkey.created&${about}`)).toMatchObject([
      { outcome: 'done', target: { type: 'passkey', name: 'laptop' } },
    ])
    expect(await rows(`action=login.accepted&${about}`)).toContainEqual(
      expect.objectContaining({ outcome: 'done', actor: expect.objectContaining({ authType: 'PASSKEY' }) }),
    )
    const row = { outcome: 'refused', error: 'BAD_CREDENTIALS', actor: null, nameHash: expect.any(String) }
    expect(await rows(`action=login.refused&from=${since}`)).toContainEqual(expect.objectContaining(row))
  })

  it('Y02 400 for an invalid credential', async () => {
    const { json: options } = await postAs(new CookieClient(), '/login/passkey/options')
    const credential = authenticator.get(options)
    for (const [body, field] of [
      [{ credential: { ...credential, type: 'password' } }, 'credential.type'],
      [{ credential, password: 'x' }, 'password'],
    ] as const) {
      const { status, json } = await postAs(new CookieClient(), '/login/passkey', body)
      expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
    }
  })

  it('S02 403 from another site', async () => {
    for (const path of ['/login/passkey/options', '/login/passkey'])
      expect((await call(path, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })

  it('S13 a logout everywhere keeps the passkey', async () => {
    const browser = new CookieClient()
    await passkeyLogIn(browser, authenticator)
    await browser.call('/logout?everywhere=true', { method: 'POST', headers: browser.csrf() })
    expect((await passkeyLogIn(browser, authenticator)).status).toBe(200)
  })
})
