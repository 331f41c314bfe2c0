import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { tokenOf } from '../support/accounts.ts'
import { ADMIN_CREDENTIALS } from '../support/admin-credentials.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { eventDetail, genericSignature, payment, postPayment } from '../support/events.ts'
import { served } from '../support/served.ts'

const run = promisify(execFile)

const GETS = Object.values<Route>(ROUTES).filter(({ method, isChallenge }) => method === 'GET' && !isChallenge)
const answering = GETS.filter(({ changes }) => !changes).map((route) => [route.path, route] as const)
const changing = GETS.filter(({ changes }) => changes).map(({ path }) => path)

/** What a path is filled with, so that most of them lead to something. */
const values: Record<string, string> = { page: 'playground', source: 'payment', replayId: 'x', orderId: 'x' }

beforeAll(async () => {
  const event = payment()
  await postPayment(event)
  const { json } = await call('/api/users', bearer(await tokenOf('admin')))
  const { text } = await call('/')
  Object.assign(values, {
    eventId: event['eventId'],
    transactionId: event['transactionId'],
    userId: json.users[0].id,
    name: /href="\/assets\/([^"#]+\.css)"/.exec(text)?.[1],
  })
})

const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? 'x')

/** Of the answer to one call alone; and `vary`, to which the local gateway adds that it compresses large texts. */
const OF_ONE_CALL = ['apigw-requestid', 'content-length', 'date', 'vary']

/** What has to be the same: cookies by their names and attributes, because some values are new each time. */
function comparable({ status, headers }: Answer) {
  const cookies = [headers['set-cookie'] ?? []].flat().map((line) => line.replace(/=[^;]*/, '='))
  const kept = Object.entries(headers).filter(([name]) => !OF_ONE_CALL.includes(name))
  return { status, headers: { ...Object.fromEntries(kept), 'set-cookie': cookies } }
}

async function expectAlike(path: string, given: Call = {}): Promise<number> {
  const get = await call(path, given)
  const head = await call(path, { ...given, method: 'HEAD' })
  expect(comparable(head)).toEqual(comparable(get))
  expect(head.text).toBe('')
  return get.status
}

describe('H06 HEAD is answered as GET, without a body', () => {
  it.each(answering)('%s without credentials', async (path, { access }) => {
    const status = await expectAlike(filled(path))
    expect(status === 401).toBe(access !== 'public')
  })

  it.each(answering)('%s with those of an admin', async (path, { credentials = 'any' }) => {
    const { headers = {} } = await ADMIN_CREDENTIALS[credentials]()
    expect([200, 302, 404]).toContain(await expectAlike(filled(path), { headers }))
  })

  it.each([
    ['a role that is missing', '/api/admin/secure', () => tokenOf('user'), 403],
    ['a token that is none', '/api/admin/secure', () => 'x', 401],
    ['a query that is wrong', '/api/webhooks/events?limit=0', () => tokenOf('admin'), 400],
    ['a path that does not exist', '/nowhere', () => tokenOf('admin'), 404],
  ])('with %s', async (_, path, token, status) => {
    expect(await expectAlike(path, bearer(await token()))).toBe(status)
  })

  it('as a page of a browser, and as a copy that is still good', async () => {
    expect(await expectAlike('/nowhere', { headers: { accept: 'text/html' } })).toBe(404)
    const { headers } = await call('/openapi.json')
    expect(await expectAlike('/openapi.json', { headers: { 'if-none-match': String(headers['etag']) } })).toBe(304)
  })

  it.each(changing)('but for a GET that changes something, %s: 405', async (path) => {
    const { status, headers, text } = await call(filled(path).replace(/x$/, 'google'), { method: 'HEAD' })
    expect([status, headers['allow'], text]).toEqual([405, 'GET', ''])
  })
})

/** The status that curl prints; it fails for an answer that does not end. */
async function curl(path: string): Promise<string> {
  const { stdout } = await run('curl', ['-sI', '-m', '10', `${served('http')}${path}`])
  return stdout.split(' ', 2)[1] ?? ''
}

describe('HEAD /webhooks/{name}, by which a sender checks the address', () => {
  it.each([
    ['Intercom', '/webhooks/intercom', '200'],
    ['another case', '/webhooks/Intercom', '200'],
    ['Stripe', '/webhooks/stripe', '200'],
    ['GitHub', '/webhooks/github', '200'],
    ['payment', '/webhooks/payment', '200'],
    ['order-status', '/webhooks/order-status', '200'],
    ['a provider that asks by GET', '/webhooks/dropbox', '200'],
    ['a name without a secret', '/webhooks/unheard-of', '404'],
    ['no name', '/webhooks/__proto__', '404'],
    ['no address of webhooks', '/webhooks', '404'],
  ])('from curl -I, %s', async (_, path, status) => {
    expect(await curl(path)).toBe(status)
  })

  it('stores nothing, not even with an event and its signature', async () => {
    const eventId = randomUUID()
    const body = JSON.stringify({ eventId, eventType: 't' })
    // Node announces no body of a HEAD by itself.
    const headers = { 'content-length': String(body.length), ...genericSignature(body, undefined, 'demo') }
    const { status, text } = await call('/webhooks/demo', { method: 'HEAD', headers, body })
    expect([status, text]).toEqual([200, ''])
    expect((await eventDetail('demo', eventId)).status).toBe(404)
  })
})

it.each(['/', '/login', '/openapi.json', '/docs', '/api/status', '/api/public/hello'])(
  'curl -I %s gets the status of GET',
  async (path) => {
    expect(await curl(path)).toBe(String((await call(path)).status))
  },
)
