import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { LocalSender, SignedRequest } from '../../lib/contract/console.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { eventDetail } from '../support/events.ts'

/** No description names what only a local run serves, so these calls go past the client that asks for one. */
async function call(path: string, headers: Readonly<Record<string, string>>, body?: object) {
  const response = await fetch(new URL(path, inject('http')), {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : {},
  }
}

/** The cookies of a session, and the token that goes with them. */
async function session(username: string) {
  const client = new CookieClient()
  await client.login(username, demoUser(username).password)
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { cookie: { cookie }, both: { cookie, ...client.csrf() } }
}

const ORDER = { source: 'payment', event: 'COMPLETED', fails: false }

let admin: Awaited<ReturnType<typeof session>>
let user: typeof admin
beforeAll(async () => {
  admin = await session('admin')
  user = await session('user')
})

describe('GET /local/senders', () => {
  it('lists for an admin the providers for which the run can sign', async () => {
    const { status, json } = await call('/local/senders', admin.cookie)
    const senders: readonly LocalSender[] = json.senders
    expect(status).toBe(200)
    expect(senders.find(({ name }) => name === 'payment')?.failing).toContain('COMPLETED')
    // Its public key is known to the service, the private one only to the tests.
    expect(senders.map(({ name }) => name)).not.toContain('discord')
  })

  it('is closed to users and anonymous callers', async () => {
    expect((await call('/local/senders', user.cookie)).status).toBe(403)
    expect((await call('/local/senders', {})).status).toBe(401)
  })
})

describe('P12 POST /local/test-events', () => {
  it('stores nothing itself, and answers with a webhook that the service accepts unchanged', async () => {
    const signed = await call('/local/test-events', admin.both, ORDER)
    expect(signed.status).toBe(200)
    expect(signed.headers.get('cache-control')).toContain('no-store')
    const [{ method, path, headers, body, source, eventId }]: [SignedRequest] = signed.json.requests
    expect((await eventDetail(source, String(eventId))).status).toBe(404)
    const { status } = await fetch(new URL(path, inject('http')), { method, headers, body })
    expect(status).toBe(200)
    expect((await eventDetail(source, String(eventId))).json).toMatchObject({ source: 'payment', status: 'PROCESSED' })
  })

  it.each([
    ['a page of another site', 'Origin is not trusted', { origin: 'https://evil.example' }],
    ['a page without the token', 'Invalid CSRF token', { 'x-xsrf-token': '' }],
  ])('signs nothing for %s: %s', async (_, message, headers) => {
    const { status, json, headers: answered } = await call('/local/test-events', { ...admin.both, ...headers }, ORDER)
    expect(status).toBe(403)
    expect(json).toMatchObject({ message })
    expect(answered.get('access-control-allow-origin')).toBeNull()
  })

  it('signs nothing for users, anonymous callers and tokens, which no page has', async () => {
    expect((await call('/local/test-events', user.both, ORDER)).status).toBe(403)
    expect((await call('/local/test-events', {}, ORDER)).status).toBe(401)
    const authorization = `Bearer ${await tokenOf('admin')}`
    expect((await call('/local/test-events', { authorization }, ORDER)).status).toBe(401)
  })

  it('sends no CORS permission to another site', async () => {
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const { headers } = await fetch(new URL('/local/test-events', inject('http')), {
      method: 'OPTIONS',
      headers: { ...admin.both, ...asked },
    })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('names the errors of an order', async () => {
    const order = { source: 'github', event: 'push', fails: true }
    const { status, json } = await call('/local/test-events', admin.both, order)
    expect(status).toBe(400)
    expect(json.details.validationErrors).toMatchObject([{ field: 'fails', message: 'needs an event about a payment' }])
  })
})
