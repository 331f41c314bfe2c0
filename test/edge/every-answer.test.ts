import { describe, expect, inject, it } from 'vitest'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, type Call, call, form } from '../support/client.ts'
import { payment, postPayment } from '../support/events.ts'
import { partOf } from '../support/full-runs.ts'
import { SECURED } from '../support/secured.ts'

async function createUser(body: string, type = 'application/json'): Promise<Answer> {
  const headers = { ...bearer(await tokenOf('admin')).headers, 'content-type': type }
  return call('/api/users', { method: 'POST', headers, body })
}

async function crossSiteLogout(): Promise<Answer> {
  const client = new CookieClient()
  await client.login('jdbcuser', demoUser('jdbcuser').password)
  return client.call('/logout', { method: 'POST' })
}

async function failingPayment(): Promise<Answer> {
  const stored = payment()
  await postPayment(stored)
  return postPayment({ ...stored, eventId: crypto.randomUUID(), orderId: 'another-order' })
}

async function retryOfProcessed(): Promise<Answer> {
  const body = payment()
  await postPayment(body)
  const path = `/api/webhooks/events/payment/${body['eventId']}/retry`
  return call(path, { method: 'POST', ...bearer(await tokenOf('admin')) })
}

const ANSWERS: readonly (readonly [status: number, what: string, run: () => Promise<Answer>])[] = [
  [200, 'a page', () => call('/')],
  [200, 'a JSON answer', () => call('/api/public/hello')],
  [302, 'a login in a browser', () => call('/oauth2/authorization/google')],
  [302, 'a refused callback', () => call('/login/oauth2/code/google?code=x&state=y')],
  [400, 'a missing field', () => call('/api/auth/login', form(''))],
  [400, 'broken JSON', () => createUser('{')],
  [400, 'a webhook that is no JSON', () => postPayment('{')],
  [400, 'a Stripe webhook without a signature', () => call('/webhooks/stripe', { method: 'POST', body: '{}' })],
  [401, 'no credentials', () => call('/api/admin/secure')],
  [401, 'a bad token', () => call('/api/admin/secure', bearer('a.b.c'))],
  [401, 'a bad login', () => call('/api/auth/login', form({ username: 'admin', password: 'wrong' }))],
  [401, 'a bad signature', () => postPayment(payment(), { 'x-signature': '0' })],
  [403, 'a wrong role', async () => call('/api/admin/secure', bearer(await tokenOf('user')))],
  [403, 'no CSRF token', crossSiteLogout],
  [404, 'an unknown path', () => call('/nothing')],
  [405, 'a wrong method', () => call('/api/public/hello', { method: 'DELETE' })],
  [409, 'a name that is taken', () => createUser('{"username":"admin","password":"long enough","role":"ROLE_USER"}')],
  [409, 'a retry of what did not fail', retryOfProcessed],
  [413, 'a body that is too large', () => call('/api/auth/login', form({ username: 'a'.repeat(1_100_000) }))],
  [415, 'a wrong content type', () => createUser('{}', 'text/plain')],
  [431, 'headers that are too large', () => call('/api/auth/info', bearer('x'.repeat(11_000)))],
  [500, 'a payment of another order', failingPayment],
]

function expectSecured({ headers }: Answer, others: Answer['headers'] = {}): void {
  expect(headers).toMatchObject({ ...SECURED, ...others })
  for (const name of ['x-powered-by', 'server']) expect(headers[name]).toBeUndefined()
}

/** No stack, ARN, table or secret. */
function expectQuiet({ text, headers }: Answer, what: string): void {
  const all = `${text}\n${JSON.stringify(headers)}`
  expect(all).not.toMatch(/\n\s+at |node_modules|node:internal|\.ts:\d|\.mjs:\d/)
  expect(all).not.toMatch(/arn:aws|gatehouse-local-|DynamoDB|ECONNREFUSED|Exception/)
  const { webhookSecrets, users } = inject('ready')
  // Home logs the demo users of a local run in, whose passwords are public.
  const passwords = what === 'a page' ? [] : users.map(({ password }) => password)
  const secrets = [...Object.values(webhookSecrets), inject('jwtSecret'), ...passwords]
  for (const secret of secrets.filter((text) => text !== '')) expect(all).not.toContain(secret)
}

describe('H22, H23 every answer carries the security headers, and shows no stack, ARN, table or secret', () => {
  it.each(ANSWERS)('%d: %s', async (status, what, run) => {
    const answer = await run()
    expect(answer.status).toBe(status)
    expectSecured(answer)
    expectQuiet(answer, what)
  })
})

describe('H23 every endpoint puts the security headers on', () => {
  const isOpen = ({ access }: Route) => access === 'public' || access === 'signature'
  const isChanging = ({ method, access }: Route) => method !== 'GET' && access !== 'signature'
  const isForAdmins = ({ access }: Route) => typeof access === 'object' && access.role === 'ROLE_ADMIN'
  const user = async () => bearer(await tokenOf('user'))
  const long = { headers: { 'x-long': 'x'.repeat(11_000) } }

  /** What can be had of any endpoint, and of which. */
  const OUTCOMES: readonly (readonly [
    what: string,
    status: number,
    of: (route: Route) => boolean,
    call: () => Call | Promise<Call>,
  ])[] = [
    ['without credentials', 401, (route) => !isOpen(route), () => ({})],
    ['from another site', 403, isChanging, () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
    ['without the role', 403, isForAdmins, user],
    ['by another method', 405, () => true, () => ({ method: 'PUT' })],
    ['with headers that are too large', 431, () => true, () => long],
    ['one level below', 404, () => true, () => ({})],
  ]

  it.each(
    partOf(
      Object.values<Route>(ROUTES).flatMap((route) =>
        OUTCOMES.filter(([, , isOf]) => isOf(route)).map(
          ([what, status, , given]) => [route.method, route.path, what, status, given] as const,
        ),
      ),
    ),
  )('%s %s %s: %d', async (method, path, what, status, given) => {
    const filled = path.replace('{provider}', 'dropbox').replaceAll(/\{\w+\}/g, 'x')
    const request = { method, ...(await given()) }
    const answer = await call(what === 'one level below' ? `${filled}/x/y/z` : filled, request)
    expect(answer.status).toBe(status)
    expectSecured(answer)
  })

  it('endpoints with files state in addition how long a browser may cache them', async () => {
    const { text } = await call('/')
    const [, file = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(text) ?? []
    expectSecured(await call(file), { 'cache-control': 'public, max-age=31536000, immutable' })
    const description = await call('/openapi.json')
    expectSecured(description, { 'cache-control': 'no-cache' })
    const again = await call('/openapi.json', { headers: { 'if-none-match': String(description.headers['etag']) } })
    expect(again.status).toBe(304)
    expectSecured(again, { 'cache-control': 'no-cache' })
  })
})
