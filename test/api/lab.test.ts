import { describe, expect, inject, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { claims, forge } from '../support/forge.ts'
import { pythonWith, runPython } from '../support/python.ts'
import { sendRaw } from '../support/raw-socket.ts'

const FAULTS = [
  'expires-soon',
  'clock-skew',
  'rotated-key',
  'revoked',
  'session-ends',
  'too-many',
  'unavailable',
  'wrong-challenge',
]
const VARIANTS = [
  ['good', 'passed'],
  ['bad', 'failed'],
] as const

/** No description names what only a local run serves, so these calls go past the client that asks for one. */
async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, inject('http')), { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

async function verdictsOf(name: string) {
  const { faults } = (await ask(`/lab/report/${name}`)).json()
  return Object.fromEntries(faults.map(({ fault, verdict }: Record<string, string>) => [fault, verdict]))
}

const allOf = (verdict: string) => Object.fromEntries(FAULTS.map((fault) => [fault, verdict]))

const PYTHON = pythonWith()
const PASSWORD = demoUser('ldapuser').password

describe('http-41 a client with only the base URL and a name meets every fault, and the report distinguishes good clients from bad ones', () => {
  it.skipIf(!PYTHON).concurrent.each(VARIANTS)('Python: %s', async (variant, verdict) => {
    const name = `python-${variant}`
    const told = { variant, base: inject('http'), name, username: 'ldapuser', password: PASSWORD }
    await runPython(PYTHON ?? '', 'lab_client.py', told)
    expect(await verdictsOf(name)).toEqual(allOf(verdict))
  })
})

const CREDENTIALS = new URLSearchParams({ username: 'ldapuser', password: PASSWORD })

const logIn = (fault: string, name: string) =>
  ask(`/lab/${fault}/api/auth/login`, { method: 'POST', body: CREDENTIALS, headers: { 'x-client-name': name } })

describe('http-41 the answer of a fault', () => {
  it.each([
    ['rotated-key', 401, 'INVALID_SIGNATURE'],
    ['revoked', 401, 'REVOKED'],
  ])('%s refuses the first token and accepts the next', async (fault, status, tokenStatus) => {
    const name = `next-${fault}`
    const tokens = [(await logIn(fault, name)).json().token, (await logIn(fault, name)).json().token]
    const call = (token: string) =>
      ask(`/lab/${fault}/api/auth/info`, { headers: { 'x-client-name': name, authorization: `Bearer ${token}` } })
    const refused = await call(tokens[0])
    expect(refused).toMatchObject({ status })
    expect(refused.json()).toMatchObject({ message: 'Invalid or expired JWT token', details: { tokenStatus } })
    expect((await call(tokens[1])).status).toBe(200)
  })

  it.each([
    ['too-many', 429, 'Too many requests'],
    ['unavailable', 503, 'Service temporarily unavailable'],
  ])('%s says when to retry, in the form of an error', async (fault, status, message) => {
    const answer = await ask(`/lab/${fault}/api/public/hello?a=b`, { headers: { 'x-client-name': `first-${fault}` } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.json()).toMatchObject({ status, message, path: `/lab/${fault}/api/public/hello` })
  })

  it('the clock of clock-skew is five minutes behind, in tokens, headers and bodies', async () => {
    const login = await logIn('clock-skew', 'skewed')
    const { iat } = JSON.parse(Buffer.from(login.json().token.split('.')[1], 'base64url').toString())
    const authorization = `Bearer ${login.json().token}`
    const info = await ask('/lab/clock-skew/api/auth/info', { headers: { authorization } })
    const [date, expires] = [info.headers.get('date') ?? '', info.json().tokenExpiresAt]
    const now = Date.now()
    const behind = [iat * 1000, Date.parse(date), Date.parse(expires) - 240_000].map((time) => (now - time) / 60_000)
    expect(behind.map(Math.round)).toEqual([5, 5, 5])
    expect((await ask('/api/auth/info', { headers: { authorization } })).json()).toMatchObject({
      details: { tokenStatus: 'EXPIRED' },
    })
  })

  it.each([
    ['was revoked', { iat: -299 }, 'REVOKED'],
    ['has expired', { iat: -400, exp: -200 }, 'EXPIRED'],
  ])('E05 no fault gives life back to a token that %s', async (_, times, tokenStatus) => {
    const now = Math.floor(Date.now() / 1000)
    const person = { username: `l-${crypto.randomUUID()}`, password: 'password of lab', role: 'ROLE_ADMIN' }
    const as = (token: string) => ({
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    const made = await ask('/api/users', { method: 'POST', ...as(forge()), body: JSON.stringify(person) })
    const user = { sub: person.username, uid: made.json().id, role: person.role }
    const good = as(forge(claims({ ...user, iat: now - 60 })))
    expect((await ask('/logout?everywhere=true', { method: 'POST', ...good })).status).toBe(204)
    const moved = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, now + seconds]))
    const ended = as(forge(claims({ ...user, ...moved })))
    for (const below of ['', '/lab/clock-skew', '/lab/expires-soon']) {
      const refused = await ask(`${below}/api/users/x`, { method: 'DELETE', ...ended })
      expect([below, refused.json().details?.tokenStatus]).toEqual([below, tokenStatus])
    }
  })

  it('wrong-challenge names an unknown scheme', async () => {
    const { status, headers } = await ask('/lab/wrong-challenge/api/auth/info', { headers: { 'x-client-name': 'c' } })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'DPoP realm="API", algs="ES256"'])
  })

  it('a call without a name belongs to the client "unnamed"', async () => {
    await ask('/lab/wrong-challenge/api/auth/info')
    expect(await verdictsOf('unnamed')).toMatchObject({ 'wrong-challenge': 'passed' })
  })
})

describe('http-41 a call that waits for "100 Continue", as curl does with a large body', () => {
  it.each([
    ['is answered by the fault', '127.0.0.1', 429],
    ['is refused from another host', 'evil.example', 421],
  ])('%s', async (_, host, status) => {
    const head = `POST /lab/too-many/api/users HTTP/1.1\r\nHost: ${host}\r\nX-Client-Name: waits\r\n`
    const body = 'Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
    expect((await sendRaw(inject('http'), head + body)).statuses.at(-1)).toBe(status)
  })
})

describe('http-41 the report', () => {
  it('shows calls without tokens, passwords and queries', async () => {
    const { token } = (await logIn('revoked', 'quiet')).json()
    const headers = { 'x-client-name': 'quiet', authorization: `Bearer ${token}` }
    await ask('/lab/revoked/api/auth/info?secret=abc', { headers })
    const { text, json } = await ask('/lab/report/quiet')
    const calls = json().faults.find(({ fault }: { fault: string }) => fault === 'revoked').calls
    expect(calls).toMatchObject([
      { method: 'POST', path: '/api/auth/login', credentials: 'password', status: 200, issued: 'token 1' },
      { method: 'GET', path: '/api/auth/info', credentials: 'token 1', status: 401, tokenStatus: 'REVOKED' },
    ])
    for (const secret of [token, PASSWORD, 'abc']) expect(text).not.toContain(secret)
  })

  it('is empty after its deletion', async () => {
    await logIn('revoked', 'again')
    expect(await verdictsOf('again')).toMatchObject({ revoked: 'unfinished' })
    expect((await ask('/lab/report/again', { method: 'DELETE' })).status).toBe(204)
    expect(await verdictsOf('again')).toEqual(allOf('not tried'))
  })

  it.each([
    ['GET', '/lab/report/a%20b', 400],
    ['GET', `/lab/report/${'a'.repeat(65)}`, 400],
    ['GET', '/lab/nosuch/api/auth/info', 404],
    ['GET', '/lab/revoked/webhooks/stripe', 404],
    ['GET', '/lab/revoked/lab/revoked/api/auth/info', 404],
    ['GET', '/lab/revoked/api/../lab', 404],
    ['POST', '/lab/openapi.json', 405],
  ])('%s %s is refused with %i in the form of an error', async (method, path, status) => {
    const { status: answered, json } = await ask(path, { method })
    expect(answered).toBe(status)
    expect(json()).toMatchObject({ status, message: expect.any(String), timestamp: expect.stringMatching(/Z$/) })
  })

  it('an invalid name is refused before anything else happens', async () => {
    const { status, json } = await ask('/lab/revoked/api/auth/info', { headers: { 'x-client-name': '<b>' } })
    expect(status).toBe(400)
    expect(json().details.validationErrors).toEqual([
      {
        field: 'X-Client-Name',
        message: 'must be 1 to 64 letters, digits, dots, hyphens or underscores',
        rejectedValue: null,
      },
    ])
  })
})
