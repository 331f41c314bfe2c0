import { describe, expect, it, vi } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import { claims, forge } from '../support/forge.ts'
import { connected, heardBy } from '../support/stomp-client.ts'

const asAdmin = (body: unknown) => postJson(body, bearer(forge()).headers)
const send = (body: unknown, request: Call = asAdmin(body)): Promise<Answer> => call('/api/messages', request)
const clientOf = async (username: string) => (await connected(await tokenOf(username))).client

describe('POST /api/messages', () => {
  it('reaches every subscriber of a public topic, with its sender and its id', async () => {
    const [one, other] = [await clientOf('user'), await clientOf('ldapuser')]
    const heard = [await heardBy(one, '/topic/public/news'), await heardBy(other, '/topic/public/news')]
    const { status, json } = await send({ destination: '/topic/public/news', body: 'grüß Gott' })
    expect([status, Object.keys(json)]).toEqual([202, ['messageId']])
    await vi.waitUntil(() => heard.every(({ length }) => length > 0), 20_000)
    for (const [message] of heard) {
      expect(message?.body).toBe('grüß Gott')
      expect(message?.headers).toMatchObject({
        destination: '/topic/public/news',
        'content-type': 'text/plain',
        sender: 'admin',
        'api-message-id': json.messageId,
        'message-id': expect.any(String),
      })
    }
  })

  it.each([
    ['the database', 'user', 'USER'],
    ['the directory', 'ldapuser', 'ldapuser'],
  ])('reaches only the sessions of a user of %s', async (_, username, name) => {
    const others = await heardBy(await clientOf('admin'), '/user/queue/desk')
    const heard = [
      await heardBy(await clientOf(username), '/user/queue/desk'),
      await heardBy(await clientOf(username), '/user/queue/desk'),
    ]
    expect((await send({ destination: `/user/${name}/queue/desk`, body: { orders: [7] } })).status).toBe(202)
    await send({ destination: '/user/admin/queue/desk', body: 'the last' })
    await vi.waitUntil(() => [...heard, others].every(({ length }) => length > 0), 20_000)
    for (const messages of heard) {
      expect(messages.map(({ body }) => JSON.parse(body))).toEqual([{ orders: [7] }])
      expect(messages[0]?.headers).toMatchObject({
        destination: '/user/queue/desk',
        'content-type': 'application/json',
        sender: 'admin',
      })
    }
    expect(others.map(({ body }) => body)).toEqual(['the last'])
  })

  it('accepts the longest body that a client may send, and no longer one', async () => {
    const heard = await heardBy(await clientOf('user'), '/topic/public/long')
    const body = '\u0000'.repeat(65_536)
    expect((await send({ destination: '/topic/public/long', body })).status).toBe(202)
    await vi.waitUntil(() => heard.length > 0, 20_000)
    expect(heard[0]?.body).toBe(body)
    const { status, json } = await send({ destination: '/topic/public/long', body: `${body}!` })
    expect([status, json.details.validationErrors]).toEqual([
      400,
      [{ field: 'body', message: 'must have at most 65536 bytes', rejectedValue: null }],
    ])
  })

  it.each<[string, unknown, string, string]>([
    ['an unknown field', { destination: '/topic/public/a', body: 'a', sender: 'eve' }, 'sender', 'is not known'],
    [
      'the notices of the server',
      { destination: '/user/user/queue/notices', body: 'a' },
      'destination',
      'must not be the notices of the server',
    ],
  ])('400 for %s', async (_, body, field, message) => {
    const { status, json } = await send(body)
    expect([status, json.details?.validationErrors]).toMatchObject([400, [{ field, message }]])
  })

  it('404 for an unknown user', async () => {
    const { status, json } = await send({ destination: '/user/ldapnobody/queue/a', body: 'a' })
    expect([status, json.message]).toEqual([404, 'User not found'])
  })

  it('403 for a user, 401 without credentials, 415 for a body that is not JSON', async () => {
    const body = { destination: '/topic/public/a', body: 'a' }
    const user = bearer(forge(claims({ sub: 'user', role: 'ROLE_USER' })))
    expect((await send(body, postJson(body, user.headers))).json).toMatchObject({
      status: 403,
      details: { requiredRole: 'ROLE_ADMIN', userRoles: ['ROLE_USER'] },
    })
    expect((await send(body, postJson(body))).status).toBe(401)
    const text = { 'content-type': 'text/plain' }
    expect((await send(body, postJson(body, { ...bearer(forge()).headers, ...text }))).status).toBe(415)
  })

  it('S02 a session needs its CSRF token', async () => {
    const browser = new CookieClient()
    await browser.login('admin', demoUser('admin').password)
    const request = postJson({ destination: '/topic/public/a', body: 'a' })
    expect((await browser.call('/api/messages', request)).status).toBe(403)
    const headers = { ...request.headers, ...browser.csrf() }
    expect((await browser.call('/api/messages', { ...request, headers })).status).toBe(202)
  })
})
