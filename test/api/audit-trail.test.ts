import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { deadEvent, payment, postJson, postPayment } from '../support/events.ts'
import { bearerField, callUnary } from '../support/grpc-client.ts'

interface Line {
  readonly action: string
  readonly [name: string]: unknown
}

const PASSWORD = `a password ${randomUUID()}`
const SECRET = `canary-${randomUUID()}`
const started = new Date(Date.now() - 1000).toISOString()
const name = `audit${randomUUID().slice(0, 8)}`
const eventId = randomUUID()
let userId = ''
let keyId = ''
let deadId = ''

async function asAdmin(path: string, request: Call = {}): Promise<Answer> {
  const { headers } = bearer(await tokenOf('admin'))
  return call(path, { ...request, headers: { ...request.headers, ...headers } })
}

/** Everything since the tests began, page by page. */
async function trail(query = ''): Promise<readonly Line[]> {
  const lines: Line[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, json } = await asAdmin(`/api/audit?since=${started}&limit=200${query}${more}`)
    expect(status).toBe(200)
    lines.push(...json.lines)
    cursor = json.nextCursor
  }
  return lines
}

const about = (lines: readonly Line[], ...ids: string[]) =>
  lines.filter((line) => ids.every((id) => JSON.stringify(line).includes(id)))

/** What somebody does in the course of a day. */
beforeAll(async () => {
  const user = { username: name, password: PASSWORD, role: 'ROLE_USER' }
  userId = (await asAdmin('/api/users', postJson(user))).json.id
  await asAdmin('/api/users', postJson(user))
  await call('/api/auth/login', form({ username: name, password: PASSWORD }))
  await call('/login', form({ username: name, password: PASSWORD }))
  await call('/api/user/secure', basic(name, PASSWORD))
  await call('/api/user/secure', basic(name, PASSWORD))
  await call('/api/auth/login', form({ username: SECRET, password: SECRET }))
  await call('/api/auth/login', form({ username: SECRET.toUpperCase(), password: SECRET }))
  await postPayment(payment({ eventId, customerId: SECRET }))
  await asAdmin(`/api/webhooks/events/payment/${eventId}`)
  await asAdmin(`/api/webhooks/events/payment/${eventId}/payload`)
  const machine = await makeKey(['payment'])
  keyId = machine.id
  await call(`/api/webhooks/events/payment/${eventId}/payload`, withKey(machine.key))
  const token = bearerField(await tokenOf('admin'))
  const request = { source: 'payment', eventId, includePayload: true }
  await callUnary(WebhookEventService.method.getWebhookEvent, request, token)
  deadId = await deadEvent()
  await asAdmin(`/api/webhooks/events/payment/${deadId}/retry`, { method: 'POST' })
  const replay = { replayId: `replay-${name}`, filter: { source: name }, dryRun: true }
  await asAdmin('/api/webhooks/replays', postJson(replay))
  await asAdmin(`/api/webhooks/events/payment/${eventId}/payload?force=true`, { method: 'DELETE' })
  await asAdmin(`/api/keys/${keyId}`, { method: 'DELETE' })
  await asAdmin('/api/destinations/nothing/enable', { method: 'POST' })
  await asAdmin(`/api/users/${userId}`, { method: 'DELETE' })
})

describe('GET /api/audit', () => {
  it('A01 shows who did what and from which address, over HTTP and gRPC', async () => {
    const lines = await trail()
    const admin = { user: 'admin', from: '127.0.0.1', outcome: null, authentic: true }
    const target = { source: 'payment', eventId }
    expect(about(lines, eventId)).toMatchObject([
      { ...admin, action: 'payload.read', authType: 'JWT', target },
      { ...admin, action: 'payload.read', authType: 'JWT', target },
      { action: 'payload.read', apiKey: keyId, authType: 'API_KEY', uid: null, target },
      { ...admin, action: 'payload.read', target },
      { ...admin, action: 'payload.deleted', target: { ...target, force: 'true' } },
    ])
    expect(about(lines, deadId, 'event.retried')).toMatchObject([{ ...admin, target: { source: 'payment' } }])
    expect(about(lines, `replay-${name}`)).toMatchObject([
      { ...admin, action: 'replay.started', target: { replayId: `replay-${name}`, dryRun: 'true' } },
    ])
    expect(about(lines, keyId).map(({ action }) => action)).toEqual(['payload.read', 'key.deleted'])
    const enabled = { action: 'destination.enabled', target: { name: 'nothing' } }
    expect(about(lines, '"nothing"', 'destination.enabled')).toMatchObject([
      { ...admin, ...enabled },
      { ...enabled, outcome: 'DESTINATION_NOT_FOUND' },
    ])
  })

  it('A02 shows successful logins with the user, once for each password that was verified', async () => {
    const lines = await trail(`&user=${userId}`)
    const login = { action: 'login.accepted', user: name, from: '127.0.0.1', nameHash: null }
    expect(lines).toMatchObject([
      { ...login, method: 'token', authType: 'JDBC' },
      { ...login, method: 'form' },
      { ...login, method: 'basic' },
    ])
  })

  it('A02 shows refused logins with a hash of the name, the same for the same name', async () => {
    const lines = await trail('&action=login.refused')
    const hashes = lines.map(({ nameHash }) => String(nameHash))
    const twice = hashes.filter((hash, index) => hashes.indexOf(hash) !== index)
    expect(twice.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatchObject({ outcome: 'BAD_CREDENTIALS', user: null, uid: null })
  })

  it('A01 shows created and deleted users, and refused calls', async () => {
    const lines = (await trail()).filter(({ action }) => /^user\./.test(action))
    const target = { username: name, role: 'ROLE_USER' }
    expect(about(lines, name)).toMatchObject([
      { action: 'user.created', user: 'admin', target, outcome: null },
      { action: 'user.created', user: 'admin', target, outcome: null },
      { action: 'user.created', user: 'admin', target, outcome: 'USER_EXISTS' },
    ])
    expect(about(lines, userId)).toMatchObject([{ action: 'user.deleted', target: { userId } }])
  })

  it('A02 shows no password, token, key or payload', async () => {
    const text = JSON.stringify(await trail())
    for (const secret of [PASSWORD, SECRET, demoUser('admin').password]) expect(text).not.toContain(secret)
    // Hashes of names are random texts: three letters of a token may occur in one.
    expect(text).not.toMatch(/ghk_[a-z\d]+_|eyJ[\w-]+\./)
  })

  it('A12 is for admins only', async () => {
    const { key } = await makeKey()
    expect((await call('/api/audit')).status).toBe(401)
    expect((await call('/api/audit', withKey(key))).status).toBe(401)
    expect((await call('/api/audit', bearer(await tokenOf('user')))).status).toBe(403)
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['action=nothing', 'action'],
    ['user=a"b', 'user'],
    ['user=*', 'user'],
    ['since=yesterday', 'since'],
    ['since=2026-11-22T00:00:00&until=2026-11-21T00:00:00', 'until'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('0 99/abc').toString('base64url')}`, 'cursor'],
    ['who=me', 'who'],
  ])('A12 answers 400 to ?%s', async (query, field) => {
    const { status, json } = await asAdmin(`/api/audit?${encodeURI(query)}`)
    expect([status, json.details?.validationErrors[0].field]).toEqual([400, field])
  })

  it('A12 refuses the cursor of another search', async () => {
    const { json } = await asAdmin(`/api/audit?since=${started}&limit=1`)
    const other = `/api/audit?since=${started}&limit=1&action=key.created&cursor=${json.nextCursor}`
    expect((await asAdmin(other)).status).toBe(400)
  })
})
