import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { nameHashOf } from '../../lib/trail/trail.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { deadEvent, payment, postJson, postPayment } from '../support/events.ts'
import { bearerField, callUnary } from '../support/grpc-client.ts'
import { storedRow } from '../support/local-tables.ts'

interface Entry {
  readonly id: string
  readonly at: string
  readonly [name: string]: unknown
}

const PASSWORD = `a password ${randomUUID()}`
const SECRET = `canary-${randomUUID()}`
const started = new Date(Date.now() - 1000).toISOString()
const bob = `audit${randomUUID().slice(0, 8)}`
const other = `${bob}-other`
const eventId = randomUUID()
const destination = `/topic/public/${bob}`
let bobId = ''
let keyId = ''
let deadId = ''

async function asAdmin(path: string, request: Call = {}): Promise<Answer> {
  const { headers } = bearer(await tokenOf('admin'))
  return call(path, { ...request, headers: { ...request.headers, ...headers } })
}

/** Everything since the tests began, newest first, page by page. */
async function trail(query = '', limit = 200): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const asked = new URLSearchParams({ from: started, limit: String(limit), ...(cursor !== '' && { cursor }) })
    const { status, json } = await asAdmin(`/api/audit?${asked}&${query}`)
    expect([status, json.complete]).toEqual([200, true])
    entries.push(...json.entries)
    cursor = json.nextCursor
  }
  return entries
}

const patchJson = (body: object): Call => ({ ...postJson(body), method: 'PATCH' })

/** What somebody does in the course of a day. */
beforeAll(async () => {
  const user = { username: bob, password: PASSWORD, role: 'ROLE_USER' }
  bobId = (await asAdmin('/api/users', postJson(user))).json.id
  await asAdmin('/api/users', postJson(user))
  await asAdmin('/api/users', postJson({ ...user, username: other }))
  await call('/api/auth/login', form({ username: bob, password: PASSWORD }))
  await call('/login', form({ username: bob, password: PASSWORD }))
  await call('/api/user/secure', basic(bob, PASSWORD))
  await call('/api/user/secure', basic(bob, PASSWORD))
  await call('/api/auth/login', form({ username: SECRET, password: SECRET }))
  await call('/api/auth/login', form({ username: SECRET.toUpperCase(), password: SECRET }))
  await postPayment(payment({ eventId, customerId: SECRET }))
  await asAdmin(`/api/webhooks/events/payment/${eventId}`)
  await asAdmin(`/api/webhooks/events/payment/${eventId}/payload`)
  await asAdmin(`/api/webhooks/events/payment/${eventId}/deliveries`)
  const machine = await makeKey(['payment'])
  keyId = machine.id
  await call(`/api/webhooks/events/payment/${eventId}/payload`, withKey(machine.key))
  const token = bearerField(await tokenOf('admin'))
  const request = { source: 'payment', eventId, includePayload: true }
  await callUnary(WebhookEventService.method.getWebhookEvent, request, token)
  deadId = await deadEvent()
  await asAdmin(`/api/webhooks/events/payment/${deadId}/retry`, { method: 'POST' })
  const replay = { replayId: `replay-${bob}`, filter: { source: bob }, reason: 'a fault of ours' }
  await asAdmin('/api/webhooks/replays', postJson({ ...replay, dryRun: true }))
  await asAdmin('/api/webhooks/replays', postJson({ ...replay, dryRun: false }))
  await asAdmin('/api/messages', postJson({ destination, body: SECRET }))
  await asAdmin(`/api/webhooks/events/payment/${eventId}/payload?force=true`, { method: 'DELETE' })
  await asAdmin(`/api/keys/${keyId}`, { method: 'DELETE' })
  await asAdmin(`/api/destinations/${bob}/enable`, { method: 'POST' })
  await asAdmin(`/api/users/${bobId}`, patchJson({ password: `${PASSWORD}!` }))
  await asAdmin(`/api/users/${bobId}`, patchJson({ enabled: false }))
  await asAdmin(`/api/users/${bobId}`, { method: 'DELETE' })
})

const admin = { name: 'admin', authType: 'JWT', keyId: null }
const done = { outcome: 'done', error: null, from: '127.0.0.1', requestId: expect.stringMatching(/./) }

describe('GET /api/audit', () => {
  it('A01 who disabled somebody is one filter', async () => {
    const entry = {
      ...done,
      ...{ id: expect.any(String), at: expect.any(String), nameHash: null },
      action: 'user.changed',
      actor: { ...admin, uid: expect.any(String) },
      target: { type: 'user', id: bobId, name: bob },
      change: { enabled: false },
    }
    const [disabled, changed, ...before] = await trail(`action=user.changed&target=${bob}`)
    expect(disabled).toEqual(entry)
    expect(changed).toEqual({ ...entry, id: expect.any(String), change: { password: 'changed' } })
    expect(before).toEqual([])
  })

  it('A01 shows what was done to what, by whom and from which address, over HTTP and gRPC', async () => {
    const onEvent = { ...done, target: { type: 'event', id: `payment/${eventId}`, name: eventId } }
    const read = { ...onEvent, action: 'payload.read', change: null }
    expect(await trail(`target=${eventId}&reads=true`)).toMatchObject([
      { ...onEvent, action: 'payload.deleted', actor: admin, change: { force: true } },
      { ...read, actor: { name: 'admin', authType: expect.any(String) } },
      { ...read, actor: { uid: null, name: `key:${keyId}`, authType: 'API_KEY', keyId } },
      { ...read, actor: admin },
      { ...read, actor: admin },
      { ...read, actor: admin },
    ])
    expect(await trail(`target=${deadId}`)).toMatchObject([
      { ...done, action: 'event.retried', actor: admin, target: { type: 'event', name: deadId } },
    ])
    expect(await trail(`target=${keyId}`)).toMatchObject([
      { ...done, action: 'key.deleted', actor: admin, target: { type: 'key', id: keyId, name: 'test' } },
      {
        ...done,
        action: 'key.created',
        actor: admin,
        target: { type: 'key', id: keyId },
        change: { sources: ['payment'] },
      },
    ])
    expect(await trail(`q=${encodeURIComponent(destination)}`)).toMatchObject([
      { ...done, action: 'message.sent', actor: admin, target: { type: 'message', name: destination }, change: null },
    ])
  })

  it('A01 shows one row for a replay, and none for one that is only counted', async () => {
    expect(await trail(`target=replay-${bob}`)).toMatchObject([
      { ...done, action: 'replay.started', target: { type: 'replay' }, change: { reason: 'a fault of ours' } },
    ])
  })

  it('A01 shows created and deleted users', async () => {
    const target = { type: 'user', id: bobId, name: bob }
    expect(await trail(`target=${bob}&action=user.created&action=user.deleted&outcome=done`)).toMatchObject([
      { ...done, action: 'user.deleted', actor: admin, target, change: null },
      { ...done, action: 'user.created', actor: admin, target, change: { role: 'ROLE_USER' } },
    ])
  })

  it('A01 shows what was refused, with the reason, once and never as done', async () => {
    const refused = { ...done, outcome: 'refused', actor: admin }
    expect(await trail(`target=${bob}&outcome=refused`)).toMatchObject([
      { ...refused, action: 'destination.enabled', error: 'DESTINATION_NOT_FOUND' },
      { ...refused, action: 'user.created', error: 'USER_EXISTS', change: { role: 'ROLE_USER' } },
    ])
    expect(await trail(`target=${bob}&action=destination.enabled&outcome=done`)).toEqual([])
  })

  it('A01 shows who was refused for the role, to do something to somebody who was there', async () => {
    expect((await call(`/api/users/${bobId}`, { ...bearer(await tokenOf('user')), method: 'DELETE' })).status).toBe(403)
    const [refused, ...before] = await trail(`target=${bobId}`)
    expect(refused).toMatchObject({
      ...{ action: 'user.deleted', outcome: 'refused', error: 'METHOD_ACCESS_DENIED', from: '127.0.0.1' },
      ...{ actor: { name: 'user', authType: 'JWT', uid: expect.any(String) }, target: { type: 'user', id: bobId } },
    })
    expect(before.at(-1)?.['action']).toBe('user.created')
  })

  it('A02 shows logins with the user, once for each password that was verified', async () => {
    const login = { ...done, action: 'login.accepted', nameHash: null, target: null }
    const actor = { uid: bobId, name: bob }
    expect(await trail(`actor=${bob}`)).toMatchObject([
      { ...login, actor: { ...actor, authType: 'JDBC' } },
      { ...login, actor: { ...actor, authType: 'FORM' } },
      { ...login, actor: { ...actor, authType: 'JWT' } },
    ])
  })

  it('A01 shows what somebody does to the own account, and the end of all logins', async () => {
    const carol = `${bob}-carol`
    const user = { username: carol, password: PASSWORD, role: 'ROLE_USER' }
    const { id } = (await asAdmin('/api/users', postJson(user))).json
    const browser = new CookieClient()
    await browser.login(carol, PASSWORD)
    const passwords = postJson({ current: PASSWORD, new: `${PASSWORD}!` }, browser.csrf())
    expect((await browser.call('/api/account/password', passwords)).status).toBe(204)
    await browser.call('/logout?everywhere=true', { method: 'POST', headers: browser.csrf() })
    await asAdmin(`/api/users/${id}/sessions`, { method: 'DELETE' })
    const [target, actor] = [
      { type: 'user', id, name: carol },
      { uid: id, name: carol, authType: 'FORM' },
    ]
    expect(await trail(`actor=${carol}`)).toMatchObject([
      { ...done, action: 'logins.ended', actor },
      { ...done, action: 'password.changed', actor, target, change: null },
      { ...done, action: 'login.accepted', actor },
    ])
    expect(await trail(`target=${carol}&actor=admin`)).toMatchObject([
      { ...done, action: 'sessions.ended', actor: admin, target },
      { ...done, action: 'user.created', actor: admin, target },
    ])
  })

  it('A02 shows refused logins with a hash of the name, the same for the same name, and without the name', async () => {
    const row = await storedRow('counters', { counter: 'login#names' })
    const nameHash = nameHashOf(row?.['nameKey'] as Uint8Array, SECRET)
    const entries = await trail('action=login.refused')
    const entry = { outcome: 'refused', error: 'BAD_CREDENTIALS', actor: null, target: null, from: '127.0.0.1' }
    expect(entries.filter((each) => each['nameHash'] === nameHash)).toMatchObject([entry, entry])
  })

  it('A02 shows no password, token, key or payload', async () => {
    const text = JSON.stringify(await trail('reads=true'))
    for (const secret of [PASSWORD, SECRET, demoUser('admin').password]) expect(text).not.toContain(secret)
    // Hashes of names are random texts: three letters of a token may occur in one.
    expect(text).not.toMatch(/ghk_[a-z\d]+_|eyJ[\w-]+\./)
  })

  it.each<[string, () => string, readonly string[]]>([
    [
      'all of its parameters together',
      () => `actor=ADMIN&target=${other}&action=user.created&action=user.deleted&outcome=done&q=${other.slice(1)}`,
      ['user.created'],
    ],
    ['the id of an actor, and shows readings only if asked for', () => `actor=${keyId}&reads=true`, ['payload.read']],
    ['an end', () => `target=${other}&to=${started}`, []],
  ])('A12 filters by %s', async (_, query, actions) => {
    expect((await trail(query())).map(({ action }) => action)).toEqual(actions)
  })

  it('A12 pages give each row once, newest first', async () => {
    const whole = await trail(`target=${bob}`)
    expect(whole.length).toBeGreaterThan(4)
    expect(await trail(`target=${bob}`, 2)).toEqual(whole)
  })

  it('A12 is for admins only', async () => {
    const { key } = await makeKey()
    expect((await call('/api/audit')).status).toBe(401)
    expect((await call('/api/audit', withKey(key))).status).toBe(401)
    expect((await call('/api/audit', bearer(await tokenOf('user')))).status).toBe(403)
  })

  it.each([
    ['limit=0', 'limit'],
    ['cursor=nonsense', 'cursor'],
  ])('A12 answers 400 to ?%s', async (query, field) => {
    const { status, json } = await asAdmin(`/api/audit?${query}`)
    expect([status, json.details?.validationErrors[0].field]).toEqual([400, field])
  })
})
