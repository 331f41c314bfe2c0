import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { claims, forge } from '../support/forge.ts'
import { pythonWith } from '../support/python.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { localEnvironment, temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

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
/** No description names what only a local run serves, so these calls go past the client that asks for one. */
async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, inject('http')), { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

async function verdictsOf(name: string) {
  const { faults } = (await ask(`/lab/report/${name}`)).json()
  const own = faults.filter(({ fault }: { fault: string }) => FAULTS.includes(fault))
  return Object.fromEntries(own.map(({ fault, verdict }: Record<string, string>) => [fault, verdict]))
}

const allOf = (verdict: string) => Object.fromEntries(FAULTS.map((fault) => [fault, verdict]))

const PYTHON = pythonWith()
const PASSWORD = demoUser('ldapuser').password

/** A shipped example; its standard error is that of the test. */
async function runExample(name: string, omitted?: string): Promise<void> {
  const user = ['--username', 'ldapuser', '--password', PASSWORD]
  const omit = omitted === undefined ? [] : ['--omit', omitted]
  await promisify(execFile)(PYTHON ?? '', ['examples/client/client.py', inject('http'), name, ...user, ...omit])
}

describe('http-41 the report on the example in Python', () => {
  it.skipIf(!PYTHON)('passes it below every fault', async () => {
    await runExample('good')
    expect(await verdictsOf('good')).toEqual(allOf('passed'))
  })

  it.skipIf(!PYTHON).each(FAULTS)('without what %s looks for fails it there alone', async (fault) => {
    await runExample(`no-${fault}`, fault)
    expect(await verdictsOf(`no-${fault}`)).toEqual({ ...allOf('passed'), [fault]: 'failed' })
  })
})

describe('npx gatehouse report', { timeout: 120_000 }, () => {
  const report = (...args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const command = ['localstack/gatehouse.mjs', 'report', ...args, '--url', inject('http')]
      execFile(execPath, command, { env: localEnvironment({}), encoding: 'utf8' }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
    })

  it('succeeds when all that is judged passes or is expected to fail, and else fails', async () => {
    await ask('/lab/wrong-challenge/api/auth/info', { headers: { 'x-client-name': 'judged' } })
    const list = join(folder.path, 'list.txt')
    const junit = join(folder.path, 'junit.xml')
    writeFileSync(list, FAULTS.filter((fault) => fault !== 'wrong-challenge').join('\n'))
    const ended = [
      await report('judged', 'wrong-challenge'),
      await report('judged', ...FAULTS),
      await report('judged', ...FAULTS, '--expected-failures', list, '--junit', junit, '--json'),
      await report('judged', 'nosuch'),
      await report('no client'),
    ]
    expect(ended.map(({ code }) => code)).toEqual([0, 1, 0, 2, 2])
    const outcomes = ended[2]?.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).outcome)
    expect(outcomes?.toSorted()).toEqual([...Array(7).fill('expected'), 'ok'])
    expect(readFileSync(junit, 'utf8')).toContain(
      '<testsuite name="lab.judged" tests="8" failures="0" errors="0" skipped="7">',
    )
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

it('/lab/ redirects to its page', async () => {
  const { status, headers } = await ask('/lab/')
  expect([status, headers.get('location')]).toEqual([302, '/lab'])
})
