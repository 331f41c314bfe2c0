import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { screenOf } from '../../localstack/stack/ready.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { serve } from '../support/served.ts'
import { DIRECT, freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const START = '2026-01-01T00:00:00.000Z'
const PASSWORD = "quote ' and & blank"
const USERS = [
  { username: 'ada', password: PASSWORD, role: 'ROLE_ADMIN', store: 'jdbc' },
  { username: 'off', password: 'password of off', role: 'ROLE_USER', store: 'jdbc', enabled: false },
  { username: 'lin', password: 'password of lin', role: 'ROLE_USER', store: 'ldap', groups: ['testers'] },
  { username: 'gus', role: 'ROLE_USER', store: 'google', email: 'gus@example.com' },
  { username: 'hub', role: 'ROLE_USER', store: 'github', name: 'Hub' },
]

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
const readyFile = file('ready.json')
let bench: Stack
let other: Stack
let offset: string

async function stackWith(options: readonly string[]): Promise<Stack> {
  const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' }
  return startStack(environment, [], options, DIRECT)
}

beforeAll(async () => {
  writeFileSync(file('users.json'), JSON.stringify(USERS))
  const options = ['--users', file('users.json'), '--clock', '2026-01-01T01:00:00+01:00', '--ready-file', readyFile]
  bench = await stackWith(options)
  other = await stackWith([])
  offset = String(Number(new URL(bench.ready.http).port) - 3000)
  const [jwtSecret = ''] = Object.values(bench.ready.jwtKeys)
  serve({ ...bench, http: bench.ready.http, jwtSecret })
}, 120_000)

afterAll(async () => {
  serve(undefined)
  expect([await bench.stop(), await other.stop()]).toEqual([0, 0])
  folder.remove()
})

async function ask(path: string, init: RequestInit & { readonly at?: Stack } = {}) {
  const response = await fetch(new URL(path, (init.at ?? bench).ready.http), { redirect: 'manual', ...init })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : {},
  }
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}, at = bench) =>
  ask(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    at,
  })

const moveClock = (order: unknown, at = bench) => post('/lab/clock', order, {}, at)
const reset = () => post('/lab/reset', '')

async function logIn(username = 'ada', password = PASSWORD) {
  const { status, json } = await post('/api/auth/login', { username, password })
  return { status, token: json.token as string, bearer: { authorization: `Bearer ${json.token}` } }
}

const info = async (headers: Record<string, string>) => (await ask('/api/auth/info', { headers })).json

describe('set-37 a bench with users, a clock and a ready file', () => {
  it('writes the ready line to the file, for its owner alone', () => {
    expect(JSON.parse(readFileSync(readyFile, 'utf8'))).toEqual(bench.ready)
    expect(statSync(readyFile).mode & 0o777).toBe(0o600)
    expect(bench.ready).toMatchObject({ data: 'memory', deliverySecrets: {}, jwtKeys: { local: expect.any(String) } })
  })

  it('has only these users: of the database, the directory and the providers', async () => {
    const names = bench.ready.users.map(({ username, store }) => [store, username])
    expect(names).toEqual([
      ['jdbc', 'ada'],
      ['ldap', 'lin'],
      ['google', expect.stringMatching(/^google:\d+$/)],
      ['github', expect.stringMatching(/^github:\d+$/)],
    ])
    expect((await logIn()).status).toBe(200)
    expect((await logIn('lin', 'password of lin')).status).toBe(200)
    expect((await logIn('off', 'password of off')).status).toBe(401)
    expect((await logIn('admin', 'admin-demo')).status).toBe(401)
  })

  it('takes a token that a foreign library signs with a key of the ready line', async () => {
    const [[kid = '', key = ''] = []] = Object.entries(bench.ready.jwtKeys)
    const at = Date.parse(START) / 1000
    const token = await new SignJWT({ role: 'ROLE_USER', iss: 'gatehouse', aud: 'gatehouse' })
      .setProtectedHeader({ alg: 'HS512', typ: 'JWT', kid })
      .setSubject('ada')
      .setIssuedAt(at)
      .setExpirationTime(at + 3600)
      .sign(Buffer.from(key, 'base64url'))
    expect(await info({ authorization: `Bearer ${token}` })).toMatchObject({ username: 'ada' })
  })
})

describe('http-41 the clock', () => {
  it('begins at the time of the start, and the other bench has its own', async () => {
    const { token } = await logIn()
    expect(new Date((decodeJwt(token).iat ?? 0) * 1000).toISOString()).toMatch(/^2026-01-01T00:0/)
    const { headers } = await ask('/api/public/hello')
    expect(headers.get('date')).toMatch(/^Thu, 01 Jan 2026 00:0/)
    const { headers: elsewhere } = await ask('/api/public/hello', { at: other })
    expect(Math.abs(Date.parse(elsewhere.get('date') ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('ends tokens and sessions when it is moved past their end', async () => {
    await moveClock({ now: '2026-03-01T00:00:00Z' })
    const { bearer } = await logIn()
    const session = await ask('/login', {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada', password: PASSWORD }),
    })
    const cookie = session.headers
      .getSetCookie()
      .map((one) => one.replace(/;.*/, ''))
      .join('; ')
    expect([await info(bearer), await info({ cookie })]).toMatchObject([{ username: 'ada' }, { username: 'ada' }])
    expect((await moveClock({ advanceSeconds: 30 * 24 * 3600 })).json.now).toMatch(/^2026-03-31T00:0/)
    expect((await ask('/api/user/secure', { headers: bearer })).json).toMatchObject({
      status: 401,
      details: { tokenStatus: 'EXPIRED' },
    })
    expect((await ask('/api/user/secure', { headers: { cookie } })).status).toBe(401)
  })

  it.each([['1970-01-01T00:00:00Z'], ['2099-12-31T23:00:00.000Z'], ['2026-01-01T00:00:00+01:00']])(
    'shows %s everywhere: a login by password and one at Google are good',
    async (now) => {
      const shown = (await moveClock({ now })).json.now
      expect(Date.parse(shown) - Date.parse(now)).toBeLessThan(10_000)
      const { bearer } = await logIn()
      expect(await info(bearer)).toMatchObject({ username: 'ada' })
      const { status, headers } = await openBrowser().login('google', providerUser('google', 'ROLE_USER'))
      expect([status, headers['location']]).toEqual([302, '/'])
    },
  )

  it('makes due what is due at the new time', async () => {
    await moveClock({ now: START })
    const { bearer } = await logIn()
    const payment = { transactionId: 't-due', status: 'COMPLETED', amount: 1, currency: 'EUR' }
    await post('/webhooks/payment', { ...payment, eventId: 'e-due-1', orderId: 'one' })
    expect((await post('/webhooks/payment', { ...payment, eventId: 'e-due-2', orderId: 'two' })).status).toBe(500)
    for (const [attempts, seconds] of [300, 900, 3600].entries()) {
      const event = async () => (await ask('/api/webhooks/events/payment/e-due-2', { headers: bearer })).json
      expect(await event()).toMatchObject({ attempts })
      await moveClock({ advanceSeconds: seconds })
      const run = async () => (await event()).attempts === attempts + 1
      await vi.waitUntil(run, { timeout: 20_000, interval: 100 })
    }
  })

  it.each([
    [{ now: '1969-12-31T23:59:59.999Z' }, 'now'],
    [{ now: '2100-01-01T00:00:00Z' }, 'now'],
    [{ now: '2026-02-30T00:00:00Z' }, 'now'],
    [{ now: '2026-01-01' }, 'now'],
    [{ now: 1_767_225_600 }, 'now'],
    [{ advanceSeconds: 1e12 }, 'advanceSeconds'],
    [{ advanceSeconds: -1e12 }, 'advanceSeconds'],
    [{ advanceSeconds: '60' }, 'advanceSeconds'],
    [{ now: START, advanceSeconds: 1 }, 'advanceSeconds'],
    [{ now: START, more: 1 }, 'now'],
    [{}, 'now'],
    ['[', 'now'],
    ['null', 'now'],
  ])('refuses %j', async (order, field) => {
    const before = Date.parse((await moveClock({ advanceSeconds: 0 })).json.now)
    const { status, json } = await moveClock(order)
    expect({ status, json }).toMatchObject({ status: 400, json: { details: { validationErrors: [{ field }] } } })
    expect(Date.parse((await moveClock({ advanceSeconds: 0 })).json.now) - before).toBeLessThan(10_000)
  })

  it.each(['cross-site', 'same-site'])('is moved and reset by no page that is %s, but by its own', async (site) => {
    for (const path of ['/lab/clock', '/lab/reset'])
      expect((await post(path, { now: START }, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await post('/lab/clock', { now: START }, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await post('/lab/clock', { now: START }, { origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('http-41 a reset', () => {
  const person = { username: 'new', password: 'password of new', role: 'ROLE_USER' }

  it('brings back users, credentials, events, reports and clock as they were after the start', async () => {
    const { bearer } = await logIn()
    const before = (await info(bearer)).uid
    const key = (await post('/api/account/keys', { name: 'k', scopes: ['events:read'] }, bearer)).json
    expect((await post('/api/users', person, bearer)).status).toBe(201)
    await post('/webhooks/payment', {
      eventId: 'e',
      transactionId: 't',
      orderId: 'o',
      status: 'FAILED',
      currency: 'EUR',
    })
    await ask('/lab/revoked/api/auth/info', { headers: { ...bearer, 'x-client-name': 'c' } })
    await moveClock({ now: '2050-01-01T00:00:00Z' })
    expect((await reset()).status).toBe(204)
    expect((await moveClock({ advanceSeconds: 0 })).json.now).toMatch(/^2026-01-01T00:00/)
    expect((await logIn('new', person.password)).status).toBe(401)
    const again = await logIn()
    expect((await info(again.bearer)).uid).toBe(before)
    expect((await ask('/api/webhooks/events', { headers: again.bearer })).json).toMatchObject({ events: [] })
    expect((await ask('/api/webhooks/events', { headers: { 'x-api-key': key.key ?? '' } })).status).toBe(401)
    const { faults } = (await ask('/lab/report/c')).json
    expect(new Set(faults.map(({ verdict }: { verdict: string }) => verdict))).toEqual(new Set(['not tried']))
  })

  it('in the middle of calls leaves no half of what they made', async () => {
    const { bearer } = await logIn()
    const people = Array.from({ length: 12 }, (_, index) => ({ ...person, username: `half-${index}` }))
    const made = people.map((one) => post('/api/users', one, bearer))
    await Promise.race(made)
    await Promise.all([reset(), ...made])
    const { bearer: later } = await logIn()
    for (const one of people) {
      const { status } = await post('/api/users', one, later)
      expect([status, (await logIn(one.username, one.password)).status]).toEqual([expect.toBeOneOf([201, 409]), 200])
    }
  })
})

describe('http-41 an error below a fault', () => {
  it.each([
    ['/lab/too-many/api/auth/info', {}, '/api/auth/info', 429],
    ['/lab/revoked/api/nosuch?x=1', {}, '/api/nosuch', 404],
    ['/lab/revoked/api/auth/info', { 'x-client-name': 'no name' }, '/api/auth/info', 400],
    ['/lab/nosuch/api/auth/info', {}, '/lab/nosuch/api/auth/info', 404],
  ])('%s %j has the path %s', async (called, headers, path, status) => {
    expect((await ask(called, { headers })).json).toMatchObject({ status, path })
  })
})

describe('set-37 a command in another terminal', { timeout: 120_000 }, () => {
  const run = (...args: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const env = localEnvironment({ PORT_OFFSET: offset })
      execFile(execPath, ['localstack/gatehouse.mjs', ...args], { env, encoding: 'utf8' }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
      )
    })

  it('finds the secrets, keys, users and clock of a run that keeps nothing', async () => {
    await reset()
    for (const sender of ['stripe', 'sendgrid']) expect(await run('send', sender)).toMatch(/ 200 /)
    const token = (await run('token', 'ada')).trim()
    expect(await info({ authorization: `Bearer ${token}` })).toMatchObject({ username: 'ada' })
    expect(new Date((decodeJwt(token).iat ?? 0) * 1000).toISOString()).toMatch(/^2026-01-01T00:/)
  })

  it.each<[readonly string[], object, object, string | undefined]>([
    [['--iat', '0', '--exp', '2025-12-31T23:59:59Z'], { iat: 0, exp: 1_767_225_599 }, {}, 'EXPIRED'],
    [['--nbf', '4000000000', '--iss', 'other'], { nbf: 4_000_000_000, iss: 'other' }, {}, 'INVALID_CLAIMS'],
    [['--aud=', '--jti', 'j', '--uid=', '--typ', 'at+jwt'], { jti: 'j' }, { typ: 'at+jwt' }, 'MISSING_CLAIMS'],
    [['--alg', 'none', '--sub', 'eve'], { sub: 'eve' }, { alg: 'none' }, 'UNSUPPORTED_ALGORITHM'],
    [['--alg', 'ES256', '--kid', 'k'], {}, { alg: 'ES256', kid: 'k' }, 'UNSUPPORTED_ALGORITHM'],
  ])('makes a token with %j', async (options, claims, header, tokenStatus) => {
    const token = (await run('token', 'ada', ...options)).trim()
    expect([decodeJwt(token), decodeProtectedHeader(token)]).toMatchObject([claims, header])
    expect(decodeJwt(token)).not.toHaveProperty('uid')
    const { json } = await ask('/api/user/secure', { headers: { authorization: `Bearer ${token}` } })
    expect(json.details?.tokenStatus).toBe(tokenStatus)
  })

  it('each line of the first screen works as it stands', async () => {
    const [, tried = ''] = /\nTry\n\n(.*)\n\nCtrl-C/s.exec(screenOf(bench.ready, 'log', Number(offset))) ?? []
    const lines = tried
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !line.startsWith('Open '))
    expect(lines.length).toBeGreaterThan(3)
    const shell = [
      'set -e',
      ...lines.map((line) =>
        line.replace('npx gatehouse', `'${execPath}' localstack/gatehouse.mjs`).replace(/^curl/, 'curl -sf'),
      ),
    ]
    const { status, stderr, stdout } = spawnSync('bash', ['-c', shell.join('\n')], {
      env: localEnvironment({}),
      encoding: 'utf8',
    })
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  })
})

describe('set-37 a start is refused', () => {
  const twins = [
    USERS[0],
    { ...USERS[0], username: 'ADA' },
    { username: 'x', password: 'p', role: 'ROLE_ROOT', store: 'jdbc', more: 1 },
  ]
  it.each<[string, readonly string[], number, readonly string[]]>([
    ['before 1970', ['--clock', '1969-12-31T23:59:59Z'], 2, ['--clock must be a time of the years 1970 to 2099']],
    ['after 2099', ['--clock', '2100-01-01T00:00:00Z'], 2, ['--clock must be']],
    ['at no time', ['--clock', 'tomorrow'], 2, ['--clock must be']],
    ['with a ready file in no folder', ['--ready-file', file('no/ready.json')], 1, ['no/ready.json cannot be written']],
    ['with no users', ['--users', file('nowhere.json')], 1, ['nowhere.json:\n  cannot be read']],
    ['with wrong users', ['--users', file('wrong.json')], 1, ['ADA is there twice in jdbc', '2.role', '"more"']],
  ])('%s', (_, options, code, texts) => {
    writeFileSync(file('wrong.json'), JSON.stringify(twins))
    const env = localEnvironment({ PORT_OFFSET: '11111', DATA_DIR: 'memory' })
    const { status, stdout, stderr } = spawnSync(execPath, [DIRECT, '--json', ...options], { env, encoding: 'utf8' })
    expect({ status, stdout }, stderr).toEqual({ status: code, stdout: '' })
    for (const text of texts) expect(stderr).toContain(text)
  })
})
