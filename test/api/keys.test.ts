import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { keyTextOf, newSecret } from '../../lib/auth/keys/api-key.ts'
import { tokenOf } from '../support/accounts.ts'
import { deleteKey, listKeys, type MadeKey, makeKey, postKey, withKey } from '../support/api-keys.ts'
import { basic, bearer, call } from '../support/client.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { leaveBehind, putRow, storedRow } from '../support/local-tables.ts'
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

  it('sees the newest first, page by page', async () => {
    const made = [await makeKey(), await makeKey(), await makeKey()].map(({ id }) => id)
    const seen: string[] = []
    // Other tests make keys at the same time.
    for (let cursor = ''; !made.every((id) => seen.includes(id)); ) {
      const { keys, nextCursor } = (await listKeys(`?limit=2${cursor}`)).json
      expect(keys).toHaveLength(2)
      seen.push(...keys.map(({ id }: MadeKey) => id))
      cursor = `&cursor=${nextCursor}`
    }
    expect(seen.filter((id) => made.includes(id))).toEqual(made.toReversed())
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('deletes a key once', async () => {
    const { id } = await makeKey()
    expect(await deleteKey(id)).toMatchObject({ status: 204, text: '' })
    expect(await deleteKey(id)).toMatchObject({ status: 404, json: { message: 'API key not found' } })
    expect((await deleteKey('nothing')).status).toBe(404)
  })

  it('leaves a log line for both, with the admin', async () => {
    const { id, key } = await makeKey()
    await deleteKey(id)
    const lines = await linesWith(['"audit"', `"key":"${id}"`], 2)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { decision: 'key made', user: 'admin' },
      { decision: 'key deleted', user: 'admin' },
    ])
    expect(logLines().join()).not.toContain(key)
  })

  it.each<[string, unknown, string]>([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['no sources', { name: 'x', sources: [] }, 'sources'],
    ['a source in capitals', { name: 'x', sources: ['Shop'] }, 'sources.0'],
    ['a source that is not a string', { name: 'x', sources: [1] }, 'sources.0'],
    ['sources that are not a list', { name: 'x', sources: 'shop' }, 'sources'],
    ['51 sources', { name: 'x', sources: Array.from({ length: 51 }, (_, index) => `s${index}`) }, 'sources'],
    ['an end in the past', { name: 'x', expiresAt: inDays(-1) }, 'expiresAt'],
    ['an end after more than two years', { name: 'x', expiresAt: inDays(731) }, 'expiresAt'],
    ['an end that is not a time', { name: 'x', expiresAt: 'soon' }, 'expiresAt'],
    ['an unknown field', { name: 'x', role: 'ROLE_ADMIN' }, 'role'],
    ['a list', [], 'body'],
  ])('gets 400 for %s', async (_, body, field) => {
    const { status, json } = await postKey(body)
    expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
  })

  it.each(['?limit=0', '?limit=201', '?cursor=x', '?limit=1&limit=2', '?name=x'])('gets 400 for %s', async (query) => {
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
    const named = await call(`${EVENTS}?source=${SHOP}`, withKey(shopKey.key))
    expect(named.json.events).toHaveLength(2)
  })

  it('reads one event, its payload and its deliveries, with any case of the header', async () => {
    const [detail = '', payload = '', deliveries = ''] = pathsOf(SHOP)
    expect(await call(detail, { headers: { 'X-API-KEY': shopKey.key } })).toMatchObject({
      status: 200,
      json: { source: SHOP },
    })
    expect(await call(payload, withKey(shopKey.key))).toMatchObject({ status: 200, text: SHOP })
    expect(await call(deliveries, withKey(shopKey.key))).toMatchObject({ status: 200, json: { deliveries: [] } })
  })

  it('is named in the log when it reads a payload', async () => {
    await call(pathsOf(SHOP)[1] ?? '', withKey(shopKey.key))
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

  it('K18 cannot use the cursor of a caller with more sources', async () => {
    const { json } = await call(`${EVENTS}?limit=1`, withKey(anyKey.key))
    expect((await call(`${EVENTS}?cursor=${json.nextCursor}`, withKey(shopKey.key))).status).toBe(400)
  })

  it('shows its last use to about five minutes', async () => {
    const { id, key } = await makeKey([SHOP])
    await call(`${EVENTS}?limit=1`, withKey(key))
    const lastUse = async () =>
      (await listKeys('?limit=200')).json.keys.find((one: MadeKey) => one.id === id).lastUsedAt
    await expect.poll(lastUse).toMatch(/^\d{4}-/)
  })

  it.each([
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
  ])('K18 is not accepted elsewhere: %s %s', async (method, path) => {
    expect(await call(path, { method, ...withKey(anyKey.key) })).toMatchObject({
      status: 401,
      json: { message: 'Authentication required' },
    })
  })

  it('does not affect other credentials where keys are not accepted', async () => {
    const token = await tokenOf('admin')
    const answer = await call('/api/admin/secure', withKey(anyKey.key, { authorization: `Bearer ${token}` }))
    expect(answer.json.user).toBe('admin')
  })
})

describe('K16 an invalid key', () => {
  const wrong = (): readonly (readonly [string, string])[] => [
    ['an unknown id', keyTextOf({ id: '0000000000zzz', secret: newSecret() })],
    ['a wrong secret', keyTextOf({ id: anyKey.id, secret: newSecret() })],
    ['an extra letter', `${anyKey.key}x`],
    ['9,000 letters', anyKey.key.padEnd(9000, 'x')],
    ['letters beyond ASCII', `${anyKey.key.slice(0, -1)}\u00e9`],
    ['capitals', anyKey.key.toUpperCase()],
    ['nothing', ''],
  ]

  it('gets one and the same answer, whatever the reason', async () => {
    for (const [what, key] of wrong()) {
      const { status, json, headers } = await call(EVENTS, withKey(key))
      expect([what, status, headers['www-authenticate']]).toEqual([what, 401, 'Bearer realm="API"'])
      expect(json).toMatchObject(INVALID)
    }
  })

  it('gets that answer after its end as well, while the table still has it', async () => {
    const { id, key } = await makeKey()
    const row = await storedRow('keys', { kind: 'key', id })
    await putRow('keys', { ...row, expiresAt: Date.now() - 1 })
    expect((await call(EVENTS, withKey(key))).json).toMatchObject(INVALID)
  })

  it('gets that answer after its deletion as well', async () => {
    const { id, key } = await makeKey()
    await deleteKey(id)
    for (const path of [EVENTS, ...pathsOf(SHOP)]) expect((await call(path, withKey(key))).json).toMatchObject(INVALID)
  })

  it('is accepted with blanks around it, which every header loses', async () => {
    expect((await call(EVENTS, withKey(`${anyKey.key}  `))).status).toBe(200)
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

describe('K17 a call with several credentials', () => {
  it.each<[string, () => Promise<Record<string, string | string[]>>, string]>([
    ['a token and the key', async () => bearerBeside(await tokenOf('admin')), 'without Authorization'],
    ['an unknown scheme', async () => ({ 'x-api-key': anyKey.key, authorization: 'x' }), 'without Auth'],
    ['two joined keys', async () => ({ 'x-api-key': `${anyKey.key}, ${shopKey.key}` }), 'sent once'],
  ])('gets 400, and none of them is used: %s', async (_, headers, rule) => {
    const { status, json, text } = await call(EVENTS, { headers: await headers() })
    expect([status, json.details.validationErrors[0].field]).toEqual([400, 'X-Api-Key'])
    expect(json.details.validationErrors[0].message).toContain(rule)
    expect(text).not.toContain(anyKey.key)
  })

  const bearerBeside = (token: string) => ({ 'x-api-key': anyKey.key, authorization: `Bearer ${token}` })
})

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

describe('curl', () => {
  it('reads with a key, and gets the reason when the key is not allowed', async () => {
    async function curl(source: string) {
      const url = `${inject('http')}${EVENTS}?source=${source}`
      const { stdout } = await promisify(execFile)('curl', ['-s', '-H', `X-Api-Key: ${shopKey.key}`, url])
      return JSON.parse(stdout)
    }
    expect((await curl(SHOP)).events).toHaveLength(2)
    expect((await curl(BANK)).details).toEqual({ keyId: shopKey.id, sources: [SHOP] })
  })
})
