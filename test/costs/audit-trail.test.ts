import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createTokens } from '../../lib/auth/token.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { loginSettings } from '../../lib/runtime/settings/login.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { coldEndpoint } from '../support/cold-function.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { type Invoke, lambdaEvent } from '../support/lambda-event.ts'
import { leaveBehind } from '../support/local-tables.ts'

const ready = inject('ready')
const printed: string[] = []
let dynamodb: CountingProxy
/** The same store, whose audit trail does not answer. */
let broken: CountingProxy

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)))
  dynamodb = await countingProxy(ready.dynamodb)
  broken = await countingProxy(ready.dynamodb, LAMBDA_ENVIRONMENT.AUDIT_TABLE)
  const environment = { ...LAMBDA_ENVIRONMENT, TRUSTED_PROXIES: '127.0.0.1' }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
})

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await Promise.all([dynamodb.close(), broken.close()])
})

/** An instance of a function that shares nothing but the store. */
async function instance(name: string, { url } = dynamodb): Promise<Invoke> {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', url)
  return coldEndpoint(name)
}

const keys = { current: loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], LAMBDA_ENVIRONMENT).JWT_KEYS }

/** Of the demo user, whose id the users table knows. */
async function asAdmin(): Promise<Record<string, string>> {
  const token = await createTokens({ keys, lifetimeSeconds: 60, clock: systemClock }).issue('admin', 'ROLE_ADMIN')
  return { authorization: `Bearer ${token}` }
}

/** The status of an answer, its body, and what it asked of the store. */
async function costOf(invoke: Invoke, ...given: Parameters<typeof lambdaEvent>) {
  dynamodb.take()
  const { statusCode, body = '' } = await invoke(lambdaEvent(...given))
  return { statusCode, body, requests: dynamodb.take().toSorted() }
}

async function order(invoke: Invoke, method: string, path: string, body: object = {}) {
  const headers = { 'content-type': 'application/json', ...(await asAdmin()) }
  return costOf(invoke, method, path, { body: JSON.stringify(body), headers })
}

async function logIn(invoke: Invoke, path: string, username = 'admin', given: object = {}) {
  const password = ready.users.find((user) => user.username === username)?.password ?? 'wrong'
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...given }
  return costOf(invoke, 'POST', path, { body: new URLSearchParams({ username, password }).toString(), headers })
}

const newUser = () => ({ username: `u-${randomUUID()}`, password: 'a long password', role: 'ROLE_USER' })

/** The path of an event with a payload. */
async function newEvent(): Promise<string> {
  const { source, eventId } = failedEvent({ eventId: randomUUID() })
  await leaveBehind(failedEvent({ source, eventId }))
  return `/api/webhooks/events/${source}/${eventId}`
}

describe('A11 the row of an action costs', () => {
  it('nothing of its own where something changes: it is in the transaction, or makes the write to one', async () => {
    const path = '/api/users'
    const made = await order(await instance('api/users-create'), 'POST', path, newUser())
    expect(made).toMatchObject({ statusCode: 201, requests: ['GetItem', 'GetItem', 'TransactWriteItems'] })
    const { id } = JSON.parse(made.body)
    const requests = ['GetItem', 'GetItem', 'GetItem', 'TransactWriteItems']
    const changed = await order(await instance('api/users-update'), 'PATCH', `${path}/${id}`, { enabled: false })
    expect(changed).toMatchObject({ statusCode: 200, requests })
    const removed = await order(await instance('api/users-delete'), 'DELETE', `${path}/${id}`)
    expect(removed).toMatchObject({ statusCode: 204, requests: requests.toSpliced(3, 0, 'Query') })
  })

  it('one write for what is refused', async () => {
    const path = `/api/users/${randomUUID()}`
    const refused = await order(await instance('api/users-delete'), 'DELETE', path)
    expect(refused).toMatchObject({ statusCode: 404, requests: ['GetItem', 'GetItem', 'GetItem', 'PutItem'] })
  })

  it('one write for a payload that is read', async () => {
    const headers = await asAdmin()
    const read = await costOf(await instance('api/webhook-event'), 'GET', await newEvent(), { headers })
    expect(read).toMatchObject({ statusCode: 200, requests: ['GetItem', 'PutItem'] })
  })

  it('nothing of its own at a login by the form, whose session is in its transaction, and one write at one for a token', async () => {
    const [form, token] = [await instance('login/form'), await instance('api/auth-login')]
    await logIn(form, '/login')
    expect(await logIn(form, '/login')).toMatchObject({
      statusCode: 302,
      requests: ['BatchGetItem', 'GetItem', 'TransactWriteItems'],
    })
    await logIn(token, '/api/auth/login')
    expect(await logIn(token, '/api/auth/login')).toMatchObject({
      statusCode: 200,
      requests: ['BatchGetItem', 'GetItem', 'PutItem'],
    })
  })

  it('one query for a page of the trail', async () => {
    const list = await instance('api/audit-trail')
    await costOf(list, 'GET', '/api/audit', { headers: await asAdmin() })
    const { statusCode, requests } = await costOf(list, 'GET', '/api/audit', { headers: await asAdmin() })
    expect([statusCode, requests]).toEqual([200, ['Query']])
  })
})

it('A03 an address that is throttled leaves one row in each window, whichever instance it calls', async () => {
  const seconds = loadConfig(loginSettings, [], LAMBDA_ENVIRONMENT).LOGIN_FAILURE_WINDOW_SECONDS
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1000 / seconds) * seconds * 1000 })
  const logins = [await instance('api/auth-login'), await instance('api/auth-login')]
  const list = await instance('api/audit-trail')
  const from = `2001:db8:a${randomUUID().slice(0, 3)}::1`
  const guess = async (count: number) => {
    const statuses: number[] = []
    for (const login of Array(count).fill(logins).flat()) {
      statuses.push((await logIn(login, '/api/auth/login', from, { 'x-forwarded-for': from })).statusCode)
    }
    return statuses
  }
  async function rows() {
    const event = lambdaEvent('GET', '/api/audit', { headers: await asAdmin() })
    const { body = '' } = await list({ ...event, rawQueryString: 'action=login.refused&limit=200' })
    const { entries } = JSON.parse(body) as { entries: { readonly from: string; readonly error: string }[] }
    return entries
      .filter((entry) => entry.from === from)
      .map(({ error }) => error)
      .toSorted()
  }
  expect(await guess(5)).toEqual(Array(10).fill(401))
  expect(await guess(3)).toEqual(Array(6).fill(429))
  expect(await rows()).toEqual([...Array(10).fill('BAD_CREDENTIALS'), 'TOO_MANY_REQUESTS'])
  vi.advanceTimersByTime(seconds * 1000)
  await guess(6)
  expect((await rows()).filter((error) => error === 'TOO_MANY_REQUESTS')).toHaveLength(2)
  vi.useRealTimers()
})

describe('A11 while the audit trail does not answer', () => {
  it('a login for a token succeeds, and an error is logged', async () => {
    expect((await logIn(await instance('api/auth-login', broken), '/api/auth/login')).statusCode).toBe(200)
    expect(printed.join('\n')).toMatch(/"ERROR".*an action is missing in the audit trail.*login\.accepted.*done/)
  })

  it('a login by the form begins no session', async () => {
    const { statusCode } = await logIn(await instance('login/form', broken), '/login')
    expect(statusCode).toBe(503)
  })

  it('no user is created', async () => {
    const user = newUser()
    expect((await order(await instance('api/users-create', broken), 'POST', '/api/users', user)).statusCode).toBe(503)
    expect((await order(await instance('api/users-create'), 'POST', '/api/users', user)).statusCode).toBe(201)
  })

  it('no payload is shown, a missing one gets 404, and calls that only read continue to work', async () => {
    const headers = await asAdmin()
    const detail = await instance('api/webhook-event', broken)
    const path = await newEvent()
    expect((await costOf(detail, 'GET', path, { headers })).statusCode).toBe(503)
    expect((await costOf(detail, 'GET', `${path}-nothing`, { headers })).statusCode).toBe(404)
    const list = await instance('api/webhook-events', broken)
    broken.take()
    expect((await costOf(list, 'GET', '/api/webhooks/events', { headers })).statusCode).toBe(200)
    expect(new Set(broken.take())).toEqual(new Set(['Query']))
  })
})
