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
  const ENDED = [
    [{ iat: -299 }, 'REVOKED'],
    [{ iat: -400, exp: -200 }, 'EXPIRED'],
  ] as const

  it('E05 no fault gives life back to a token that was revoked or has expired', async () => {
    const now = Math.floor(Date.now() / 1000)
    const person = { username: `l-${crypto.randomUUID()}`, password: 'password of lab', role: 'ROLE_ADMIN' }
    const as = (token: string) => ({
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    const made = await ask('/api/users', { method: 'POST', ...as(forge()), body: JSON.stringify(person) })
    const user = { sub: person.username, uid: made.json().id, role: person.role }
    const good = as(forge(claims({ ...user, iat: now - 60 })))
    expect((await ask('/logout?everywhere=true', { method: 'POST', ...good })).status).toBe(204)
    for (const [times, tokenStatus] of ENDED) {
      const moved = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, now + seconds]))
      const ended = as(forge(claims({ ...user, ...moved })))
      for (const below of ['', '/lab/clock-skew', '/lab/expires-soon']) {
        const refused = await ask(`${below}/api/users/x`, { method: 'DELETE', ...ended })
        expect([below, refused.json().details?.tokenStatus]).toEqual([below, tokenStatus])
      }
    }
  })

  it('wrong-challenge names an unknown scheme; a call without a name belongs to the client "unnamed"', async () => {
    const { status, headers } = await ask('/lab/wrong-challenge/api/auth/info')
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'DPoP realm="API", algs="ES256"'])
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
    ['GET', '/lab/nosuch/api/auth/info', 404],
    ['GET', '/lab/revoked/webhooks/stripe', 404],
    ['GET', '/lab/revoked/api/../lab', 404],
    ['POST', '/lab/openapi.json', 405],
  ])('%s %s is refused with %i in the form of an error', async (method, path, status) => {
    const { status: answered, json } = await ask(path, { method })
    expect(answered).toBe(status)
    expect(json()).toMatchObject({ status, message: expect.any(String), timestamp: expect.stringMatching(/Z$/) })
  })
})
