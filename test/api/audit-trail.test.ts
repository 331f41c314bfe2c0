import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { command, type Ended } from '../support/command.ts'
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
  it('A01 shows who did what, from where, over HTTP and gRPC', async () => {
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

  it('A02 shows logins with who it was, once for each password that was looked at', async () => {
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

  it('A01 shows users made and deleted, and what was refused', async () => {
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
    for (const secret of [PASSWORD, SECRET, demoUser('admin').password, 'ghk_', 'eyJ'])
      expect(text).not.toContain(secret)
  })

  it('A12 is for admins alone', async () => {
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

  it('A12 does not go on with a cursor of another search', async () => {
    const { json } = await asAdmin(`/api/audit?since=${started}&limit=1`)
    const other = `/api/audit?since=${started}&limit=1&action=key.created&cursor=${json.nextCursor}`
    expect((await asAdmin(other)).status).toBe(400)
  })
})

describe('npm run audit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'))
  const port = { PORT_OFFSET: String(Number(new URL(inject('http')).port) - 3000) }
  afterAll(() => rmSync(folder, { recursive: true }))

  const audit = (args: string, settings: Record<string, string> = {}): Promise<Ended> =>
    command('audit', args.split(' '), {
      ...port,
      DATA_DIR: inject('ready').data,
      AUDIT_KEYS: inject('auditKeys'),
      AWS_ENDPOINT_URL: inject('awsEndpoint'),
      ...settings,
    })

  /** Verifies a copy of the trail, its lines changed, beside the heads of the running service. */
  async function verifyChanged(change: (lines: string[]) => string[]): Promise<Ended> {
    const { code, stdout } = await audit('list --json')
    expect(code).toBe(0)
    copyFileSync(join(inject('ready').data, 'secrets.json'), join(folder, 'secrets.json'))
    writeFileSync(
      join(folder, 'audit.log'),
      change(stdout.trimEnd().split('\n'))
        .map((line) => `${line}\n`)
        .join(''),
    )
    const { dynamodb } = inject('ready')
    return audit('verify', { DATA_DIR: folder, AWS_ENDPOINT_URL: '', AWS_ENDPOINT_URL_DYNAMODB: dynamodb })
  }

  /** The lines of the user who was deleted: nobody writes to that place any more. */
  const placeOf = (lines: readonly string[]) => lines.findIndex((line) => line.includes(name))

  it('calls the trail of the running service whole', async () => {
    const { code, stdout } = await audit('verify')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^whole: \d+ lines in \d+ chains/)])
    const { stdout: json } = await audit('verify --json')
    expect(JSON.parse(json)).toMatchObject({ whole: true, headsRead: true, findings: [] })
  })

  it('A05 names a line that somebody changed, with exit code 1', async () => {
    let place = { chain: '', seq: 0 }
    const { code, stdout } = await verifyChanged((lines) => {
      const index = placeOf(lines)
      place = JSON.parse(lines[index] ?? '')
      return lines.with(index, (lines[index] ?? '').replace(name, 'nobody'))
    })
    expect(code).toBe(1)
    expect(stdout).toContain(
      `chain ${place.chain}, number ${place.seq}: was changed, or made by somebody without the key`,
    )
  })

  it('A04 names the last line of a chain that somebody removed', async () => {
    let removed = { chain: '', seq: 0 }
    const { code, stdout } = await verifyChanged((lines) => {
      const last = lines.findLastIndex((line) => line.includes(userId) && line.includes('user.deleted'))
      removed = JSON.parse(lines[last] ?? '')
      return lines.toSpliced(last, 1)
    })
    expect(code).toBe(1)
    // Other tests write on, before the copy is made and while it is verified: another line may follow, or several be missing.
    const missing = new RegExp(
      `^(?:line \\d+, )?chain ${removed.chain}, .* lines? (\\d+)(?: to (\\d+))? (?:is|are) missing$`,
      'gm',
    )
    const gaps = [...stdout.matchAll(missing)].map(([, from, to = from]) => [Number(from), Number(to)])
    expect(gaps).toContainEqual([removed.seq, expect.any(Number)])
  })

  it('says that ends are not known where no run tells, and verifies the rest', async () => {
    const nowhere = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }
    const { code, stdout, stderr } = await audit('verify', nowhere)
    expect([code, stdout]).toEqual([1, expect.stringContaining('nothing says where the chains end')])
    expect(stderr).toContain('only while npm start runs')
    expect((await audit('verify --without-heads', nowhere)).code).toBe(0)
  })

  it('lists it for people', async () => {
    const { code, stdout } = await audit('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^\\S+Z  user\\.created +admin  127\\.0\\.0\\.1  ${name} ROLE_USER$`, 'm'))
    expect(stdout).not.toContain(SECRET)
  })
})
