import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyTextOf, newSecret } from '../../lib/auth/keys/api-key.ts'
import { tokenOf } from '../support/accounts.ts'
import { deleteKey, listKeys, type MadeKey, makeKey, postKey, withKey } from '../support/api-keys.ts'
import { basic, bearer, call } from '../support/client.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind, storedRow } from '../support/local-tables.ts'
import { linesWith, logLines } from '../support/service-log.ts'

const EVENTS = '/api/webhooks/events'
const SHOP = `shop-${randomUUID().slice(0, 8)}`
const BANK = `bank-${randomUUID().slice(0, 8)}`

/** The paths that read one event. */
const pathsOf = (source: string) => ['', '/payload', '/deliveries'].map((end) => `${EVENTS}/${source}/evt-1${end}`)

const INVALID = {
  error: 'Unauthorized',
  message: 'Invalid API key',
  details: { authType: 'API Key', reason: 'Bad credentials' },
}

let shopKey: MadeKey
let anyKey: MadeKey

beforeAll(async () => {
  const receivedAt = new Date()
  const id = BigInt(receivedAt.getTime()) << 21n
  for (const [index, source] of [SHOP, BANK, SHOP].entries()) {
    const order = BigInt(index)
    const event = { source, eventId: `evt-${index < 2 ? 1 : 2}`, receivedAt, dead: true, nextRetryAt: undefined }
    await leaveBehind(failedEvent({ ...event, id: id + order, payload: Buffer.from(source) }))
  }
  shopKey = await makeKey([SHOP])
  anyKey = await makeKey()
})

describe('an admin', () => {
  it('creates a key, which is shown in this answer only', async () => {
    const { status, json, headers } = await postKey({ name: 'warehouse', sources: [SHOP, SHOP], expiresAt: inDays(3) })
    expect([status, headers['location']]).toEqual([201, `/api/keys/${json.id}`])
    expect(json).toMatchObject({ name: 'warehouse', sources: [SHOP], createdBy: 'admin', lastUsedAt: null })
    expect(json.key).toMatch(/^ghk_/)
    const secret = json.key.slice(`ghk_${json.id}_`.length)
    const { json: page, text } = await listKeys('?limit=200')
    const { key: _, ...shown } = json
    expect(page.keys.find(({ id }: MadeKey) => id === json.id)).toEqual(shown)
    const row = JSON.stringify(await storedRow('keys', { kind: 'key', id: json.id }))
    for (const kept of [text, row]) expect(kept).not.toContain(secret)
  })

  it('deletes a key once, after which it is invalid, and leaves a log line for both with the admin', async () => {
    const { id, key } = await makeKey()
    expect(await deleteKey(id)).toMatchObject({ status: 204, text: '' })
    expect(await deleteKey(id)).toMatchObject({ status: 404, json: { message: 'API key not found' } })
    expect((await call(EVENTS, withKey(key))).json).toMatchObject(INVALID)
    const lines = await linesWith(['"audit"', `"key":"${id}"`], 2)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { decision: 'key made', user: 'admin' },
      { decision: 'key deleted', user: 'admin' },
    ])
    expect(logLines().join()).not.toContain(key)
  })

  it.each<[string, unknown, string]>([
    ['a name of 65 characters', { name: 'x'.repeat(65) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['no sources', { name: 'x', sources: [] }, 'sources'],
    ['a source in capitals', { name: 'x', sources: ['Shop'] }, 'sources.0'],
    ['51 sources', { name: 'x', sources: Array.from({ length: 51 }, (_, index) => `s${index}`) }, 'sources'],
    ['an end in the past', { name: 'x', expiresAt: inDays(-1) }, 'expiresAt'],
    ['an unknown field', { name: 'x', role: 'ROLE_ADMIN' }, 'role'],
  ])('gets 400 for %s', async (_, body, field) => {
    const { status, json } = await postKey(body)
    expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
  })

  it.each(['?limit=201', '?name=x'])('gets 400 for %s', async (query) => {
    expect((await listKeys(query)).status).toBe(400)
  })

  it('alone creates, sees and deletes keys', async () => {
    const user = bearer(await tokenOf('user'))
    for (const [method, path] of [
      ['POST', '/api/keys'],
      ['GET', '/api/keys'],
      ['DELETE', `/api/keys/${shopKey.id}`],
    ] as const) {
      expect((await call(path, { method, ...user })).status).toBe(403)
      expect((await call(path, { method })).status).toBe(401)
      expect((await call(path, { method, ...withKey(anyKey.key) })).status).toBe(401)
    }
  })
})

describe('a machine with a key', () => {
  it('lists the events of its sources, and no others', async () => {
    const first = await call(`${EVENTS}?limit=1`, withKey(shopKey.key))
    const second = await call(`${EVENTS}?limit=1&cursor=${first.json.nextCursor}`, withKey(shopKey.key))
    const found = [...first.json.events, ...second.json.events]
    expect(found.map(({ source, eventId }) => [source, eventId])).toEqual([
      [SHOP, 'evt-2'],
      [SHOP, 'evt-1'],
    ])
  })

  it('reads one event, its deliveries and its payload, which the log notes, with any case of the header', async () => {
    const [detail = '', payload = '', deliveries = ''] = pathsOf(SHOP)
    const spelled = { headers: { 'X-API-KEY': `${shopKey.key}  ` } }
    expect(await call(detail, spelled)).toMatchObject({ status: 200, json: { source: SHOP } })
    expect(await call(payload, withKey(shopKey.key))).toMatchObject({ status: 200, text: SHOP })
    expect(await call(deliveries, withKey(shopKey.key))).toMatchObject({ status: 200, json: { deliveries: [] } })
    const [line = ''] = await linesWith(['"decision":"read"', `"user":"key:${shopKey.id}"`])
    expect(JSON.parse(line)).toMatchObject({ source: SHOP, eventId: 'evt-1' })
  })

  it('K18 of other sources gets 403, whether or not the event exists', async () => {
    const nowhere = pathsOf(`none-${randomUUID().slice(0, 8)}`)
    for (const path of [...pathsOf(BANK), ...nowhere, `${EVENTS}?source=${BANK}`]) {
      expect(await call(path, withKey(shopKey.key))).toMatchObject({
        status: 403,
        json: { error: 'Access Denied', details: { keyId: shopKey.id, sources: [SHOP] } },
      })
    }
    for (const path of pathsOf(BANK)) expect((await call(path, withKey(anyKey.key))).status).toBe(200)
  })

  const CLOSED = [
    ['POST', `${EVENTS}/${SHOP}/evt-1/retry`],
    ['POST', `${EVENTS}/${SHOP}/evt-1/deliveries/crm/retry`],
    ['POST', '/api/webhooks/replays'],
    ['GET', '/api/webhooks/replays/x'],
    ['GET', '/api/webhooks/refusals'],
    ['GET', '/api/destinations'],
    ['POST', '/api/destinations/crm/disable'],
    ['GET', '/api/admin/secure'],
    ['GET', '/api/user/secure'],
    ['GET', '/api/auth/info'],
    ['GET', '/api/oauth2/profile'],
    ['GET', '/api/jdbc/users'],
    ['POST', '/api/users'],
    ['DELETE', '/api/users/x'],
  ] as const

  it('K18 is not accepted elsewhere, and does not affect other credentials there', async () => {
    const required = { status: 401, json: { message: 'Authentication required' } }
    for (const [method, path] of CLOSED) {
      expect(await call(path, { method, ...withKey(anyKey.key) }), path).toMatchObject(required)
    }
    const token = await tokenOf('admin')
    const answer = await call('/api/admin/secure', withKey(anyKey.key, { authorization: `Bearer ${token}` }))
    expect(answer.json.user).toBe('admin')
  })
})

describe('K16 an invalid key', () => {
  const wrong = (): readonly (readonly [string, string])[] => [
    ['an unknown id', keyTextOf({ id: '0000000000zzz', secret: newSecret() })],
    ['a wrong secret', keyTextOf({ id: anyKey.id, secret: newSecret() })],
    ['9,000 letters', anyKey.key.padEnd(9000, 'x')],
    ['nothing', ''],
  ]

  it('gets one and the same answer, whatever the reason', async () => {
    for (const [what, key] of wrong()) {
      const { status, json, headers } = await call(EVENTS, withKey(key))
      expect([what, status, headers['www-authenticate']]).toEqual([what, 401, 'Bearer realm="API"'])
      expect(json).toMatchObject(INVALID)
    }
  })

  it('is not accepted as a token, a password or a parameter', async () => {
    expect((await call(EVENTS, bearer(anyKey.key))).json.details.tokenStatus).toBe('MALFORMED')
    for (const credentials of [basic(anyKey.id, anyKey.key), basic(anyKey.key, '')]) {
      expect((await call(EVENTS, credentials)).json.message).toBe('Invalid username or password')
    }
    expect((await call(`/api/webhooks/events/${SHOP}/evt-1?x-api-key=${anyKey.key}`)).json.message).toBe(
      'Authentication required',
    )
    expect((await call(EVENTS, { headers: { cookie: `x-api-key=${anyKey.key}` } })).status).toBe(401)
  })
})

it('K17 a call with a token and a key gets 400, and none of them is used', async () => {
  const headers = { 'x-api-key': anyKey.key, authorization: `Bearer ${await tokenOf('admin')}` }
  const { status, json, text } = await call(EVENTS, { headers })
  expect([status, json.details.validationErrors[0].field]).toEqual([400, 'X-Api-Key'])
  expect(json.details.validationErrors[0].message).toContain('without Authorization')
  expect(text).not.toContain(anyKey.key)
})

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
