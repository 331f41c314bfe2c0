import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type Callers, form, type Session, withFields } from './callers.ts'
import type { HttpRequest } from './http-api.ts'

/** What an answer has to be: everything that is named here. */
export interface Expected {
  readonly status: number
  readonly json?: object
  readonly text?: RegExp
  readonly headers?: Readonly<Record<string, RegExp>>
}

/** A request that reaches a function through the HTTP API. */
export interface RequestCase {
  /** What it is; ends the title of a test. */
  readonly what: string
  /** A new one for each call. */
  request(): HttpRequest | Promise<HttpRequest>
  readonly answer: Expected
}

/** An event from a queue or a schedule. */
export interface JobCase {
  readonly what: string
  event(): object | Promise<object>
  readonly result: z.ZodMiniType
}

/** By function; the first of each is its daily work. */
export interface RealEvents {
  readonly requests: Readonly<Record<string, readonly [RequestCase, ...RequestCase[]]>>
  readonly jobs: Readonly<Record<string, readonly [JobCase, ...JobCase[]]>>
}

const basic = (username: string, password: string) =>
  ['authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`] as const

const login = { username: 'jdbcuser', password: 'jdbcuser-demo' }

const get = (target: string, ...headers: readonly (readonly [string, string])[]): HttpRequest => ({ target, headers })

function postJson(target: string, body: object, ...headers: readonly (readonly [string, string])[]): HttpRequest {
  return {
    method: 'POST',
    target,
    headers: [['content-type', 'application/json'], ...headers],
    body: JSON.stringify(body),
  }
}

/** Two cookies that have nothing to do with us stand around those that have. */
function cookie({ cookies }: Pick<Session, 'cookies'>) {
  return ['cookie', `theme=dark; ${cookies}; consent=yes`] as const
}

const html = { 'content-type': /^text\/html/ }

/** SQS's event for messages that nobody sent. */
function sqsBatch(...bodies: readonly string[]): object {
  const records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `handle-${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1767225600000',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: '1767225600001',
    },
    messageAttributes: {},
    md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:gatehouse-prod-retry',
    awsRegion: 'eu-central-1',
  }))
  return { Records: records }
}

/** EventBridge user guide, "Scheduled Events". */
const SCHEDULED = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: '2026-01-01T00:00:00Z',
  region: 'eu-central-1',
  resources: ['arn:aws:events:eu-central-1:000000000000:rule/gatehouse-prod-RetryScan'],
  detail: {},
}

const failures = (...identifiers: readonly string[]) =>
  z.strictObject({
    batchItemFailures: z.tuple(
      identifiers.map((itemIdentifier) => z.strictObject({ itemIdentifier: z.literal(itemIdentifier) })) as never,
    ),
  })

/** Events as AWS makes them, for every function. */
export function realEvents(callers: Callers): RealEvents {
  const { bearer, call, failedEvent, webhook } = callers
  const admin = () => bearer('ROLE_ADMIN')
  const user = () => bearer('ROLE_USER')

  async function newUser(): Promise<string> {
    const body = { username: `user-${randomUUID()}`, password: 'a long password', role: 'ROLE_USER' }
    const { json } = await call('usersCreate', postJson('/api/users', body, await admin()))
    return json.id
  }

  async function storedEvent(eventId: string): Promise<string> {
    await call('webhookPayment', webhook('payment', withFields({ eventId })))
    return eventId
  }

  async function newReplay(): Promise<string> {
    const replayId = `replay-${randomUUID()}`
    const body = { replayId, filter: { q: replayId } }
    await call('replaysCreate', postJson('/api/webhooks/replays', body, await admin()))
    return replayId
  }

  /** A message that a function has put into a queue, and one that nobody of us has. */
  async function withPoison(queue: string): Promise<object> {
    const { Records: sent } = await callers.receive(queue)
    const { Records: poison } = sqsBatch('no hint') as { Records: object[] }
    return { Records: [...sent, ...poison] }
  }

  const requests: RealEvents['requests'] = {
    publicHello: [
      { what: 'a request of anybody', request: () => get('/api/public/hello'), answer: { status: 200 } },
      {
        what: 'headers that came twice',
        request: () => get('/api/public/hello', ['accept', 'text/html'], ['Accept', '*/*'], ['x-a', '1'], ['x-a', '2']),
        answer: { status: 200 },
      },
    ],
    authLogin: [
      {
        what: 'a form in base64',
        request: () => form('/api/auth/login', login),
        answer: { status: 200, json: { role: 'ROLE_USER', username: 'jdbcuser' } },
      },
      {
        what: 'a form as text',
        request: () => ({ ...form('/api/auth/login', login), asText: true }),
        answer: { status: 200, json: { role: 'ROLE_USER', username: 'jdbcuser' } },
      },
      {
        what: 'a wrong password',
        request: () => form('/api/auth/login', { ...login, password: 'wrong' }),
        answer: { status: 401 },
      },
    ],
    authInfo: [
      {
        what: 'a token',
        request: async () => get('/api/auth/info', await user()),
        answer: { status: 200, json: { authType: 'JWT' } },
      },
      {
        what: 'a session among other cookies',
        request: async () => get('/api/auth/info', cookie(await callers.login())),
        answer: { status: 200, json: { authType: 'FORM', username: 'jdbcadmin' } },
      },
      {
        what: 'two tokens, which the gateway joins',
        request: async () => get('/api/auth/info', await user(), await user()),
        answer: { status: 400 },
      },
    ],
    adminSecure: [
      {
        what: 'the token of an admin',
        request: async () => get('/api/admin/secure', await admin()),
        answer: { status: 200 },
      },
      {
        what: 'the token of a user',
        request: async () => get('/api/admin/secure', await user()),
        answer: { status: 403 },
      },
    ],
    userSecure: [
      { what: 'a token', request: async () => get('/api/user/secure', await user()), answer: { status: 200 } },
      { what: 'no credentials', request: () => get('/api/user/secure'), answer: { status: 401 } },
    ],
    jdbcUsers: [
      {
        what: 'Basic of the database',
        request: () => get('/api/jdbc/users', basic('jdbcuser', 'jdbcuser-demo')),
        answer: { status: 200, json: { user: 'jdbcuser' } },
      },
      {
        what: 'Basic with a wrong password',
        request: () => get('/api/jdbc/users', basic('jdbcuser', 'wrong')),
        answer: { status: 401, headers: { 'www-authenticate': /^Basic/ } },
      },
    ],
    ldapUsers: [
      {
        what: 'Basic of the directory',
        request: () => get('/api/ldap/users', basic('ldapunicode', 'pässwörd-密码')),
        answer: { status: 200, json: { user: 'ldapunicode' } },
      },
    ],
    oauth2Profile: [
      {
        what: 'a session',
        request: async () => get('/api/oauth2/profile', cookie(await callers.login())),
        answer: { status: 200, json: { user: 'jdbcadmin' } },
      },
    ],
    usersCreate: [
      {
        what: 'JSON with letters beyond ASCII',
        request: async () => {
          const body = { username: `jürgen-${randomUUID()}`, password: 'pässwörd-密码', role: 'ROLE_USER' }
          return postJson('/api/users', body, await admin())
        },
        answer: { status: 201, json: { role: 'ROLE_USER' }, headers: { location: /^\/api\/users\// } },
      },
      {
        what: 'what is no JSON',
        request: async () => ({ ...postJson('/api/users', {}, await admin()), body: '{' }),
        answer: { status: 400 },
      },
    ],
    usersDelete: [
      {
        what: 'the id of a user',
        request: async () => ({ method: 'DELETE', target: `/api/users/${await newUser()}`, headers: [await admin()] }),
        answer: { status: 204, text: /^$/ },
      },
    ],
    home: [
      { what: 'a stranger', request: () => get('/'), answer: { status: 200, headers: html } },
      {
        what: 'a session among other cookies',
        request: async () => get('/', cookie(await callers.login())),
        answer: { status: 200, text: /jdbcadmin/ },
      },
    ],
    loginPage: [{ what: 'a stranger', request: () => get('/login'), answer: { status: 200, headers: html } }],
    loginForm: [
      {
        what: 'a form in base64',
        request: () => form('/login', login),
        answer: { status: 302, headers: { location: /^\/$/, 'set-cookie': /JSESSIONID=.*; HttpOnly; Secure/ } },
      },
      {
        what: 'a form as text',
        request: () => ({ ...form('/login', login), asText: true }),
        answer: { status: 302, headers: { location: /^\/$/ } },
      },
    ],
    logout: [
      {
        what: 'a form with the token of its session',
        request: async () => {
          const session = await callers.login()
          return form('/logout', { _csrf: session.csrfToken }, [cookie(session)])
        },
        answer: { status: 302, headers: { location: /^\/login\?logout$/ } },
      },
      {
        what: 'a session without its token',
        request: async () => form('/logout', {}, [cookie(await callers.login())]),
        answer: { status: 403 },
      },
    ],
    oauth2Start: [
      {
        what: 'a provider in the path',
        request: () => get('/oauth2/authorization/github'),
        answer: { status: 302, headers: { location: /code_challenge_method=S256/, 'set-cookie': /Secure/ } },
      },
    ],
    oauth2Callback: [
      {
        what: 'a browser that comes back',
        request: async () => {
          const { target, cookies } = await callers.comeBackFromGithub()
          return get(target, ['cookie', cookies])
        },
        answer: { status: 302, headers: { location: /^\/console\/token$/, 'set-cookie': /JSESSIONID=/ } },
      },
      {
        what: 'a state of nobody',
        request: () => get('/login/oauth2/code/github?code=a&state=b'),
        answer: { status: 302, headers: { location: /^\/login\?error/ } },
      },
    ],
    consolePage: [
      { what: 'a page', request: () => get('/console/token'), answer: { status: 200, headers: html } },
      { what: 'no page', request: () => get('/console/nothing'), answer: { status: 404 } },
    ],
    consoleAsset: [
      {
        what: 'a file, for a browser that names its codings in two headers',
        request: async () => {
          const { text } = await call('loginPage', get('/login'))
          const [, file = ''] = /src="(\/assets\/[^"]+)"/.exec(text) ?? []
          return get(file, ['accept-encoding', 'gzip'], ['accept-encoding', 'br'])
        },
        answer: { status: 200, headers: { 'content-encoding': /^br$/, 'content-type': /javascript/ } },
      },
    ],
    webhookEvents: [
      {
        what: 'a query with letters beyond ASCII',
        request: async () => get('/api/webhooks/events?limit=5&source=payment&q=%C3%BCber+alles', await admin()),
        answer: { status: 200, json: { events: [] } },
      },
    ],
    webhookEvent: [
      {
        what: 'an id that the gateway has decoded',
        request: async () => {
          const eventId = await storedEvent(`zahlung über 5 € ${randomUUID()}`)
          return get(`/api/webhooks/events/payment/${encodeURIComponent(eventId)}`, await admin())
        },
        answer: { status: 200, json: { status: 'PROCESSED' } },
      },
    ],
    webhookEventRetry: [
      {
        what: 'an event that failed, and a reason',
        request: async () => {
          const target = `/api/webhooks/events/payment/${await failedEvent()}/retry`
          return postJson(target, { reason: 'corrected' }, await admin())
        },
        answer: { status: 202, json: { status: 'FAILED', attempts: 0 } },
      },
    ],
    replaysCreate: [
      {
        what: 'an order',
        request: async () => {
          const replayId = `replay-${randomUUID()}`
          return postJson('/api/webhooks/replays', { replayId, filter: { q: replayId } }, await admin())
        },
        answer: { status: 202, json: { matched: 0 } },
      },
    ],
    replay: [
      {
        what: 'an order that was given',
        request: async () => get(`/api/webhooks/replays/${await newReplay()}`, await admin()),
        answer: { status: 200, json: { matched: 0 } },
      },
    ],
    webhookPayment: [
      { what: 'a signed body', request: () => webhook('payment'), answer: { status: 200, json: { success: true } } },
      {
        what: 'a signature that came twice',
        request: () => {
          const call = webhook('payment')
          const signature = call.headers?.find(([name]) => name === 'x-signature') ?? ['', '']
          return { ...call, headers: [...(call.headers ?? []), signature] }
        },
        answer: { status: 401 },
      },
      {
        what: 'a signed body without a type, in base64',
        request: () => webhook('payment', () => ({ headers: {} })),
        answer: { status: 200 },
      },
    ],
    webhookOrderStatus: [
      {
        what: 'a signed body',
        request: () => webhook('order-status'),
        answer: { status: 200, json: { success: true } },
      },
    ],
    webhookStripe: [
      { what: 'a signed body', request: () => webhook('stripe'), answer: { status: 200, text: /./ } },
      {
        what: 'a body that was changed on its way',
        request: () => ({ ...webhook('stripe'), body: '{}' }),
        answer: { status: 400 },
      },
    ],
    webhookGithub: [
      { what: 'signed JSON', request: () => webhook('github'), answer: { status: 200 } },
      ...[undefined, true as const].map((asText) => ({
        what: `a signed form ${asText ? 'as text' : 'in base64'}`,
        request: () => {
          const call = webhook('github', ({ headers, body }) => ({
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: Buffer.from(new URLSearchParams({ payload: body.toString() }).toString()),
          }))
          return asText ? { ...call, asText } : call
        },
        answer: { status: 200 },
      })),
    ],
    webhookProvider: [
      { what: 'a signed body of anybody', request: () => webhook('demo'), answer: { status: 200 } },
      { what: 'a signed form of Twilio', request: () => webhook('twilio'), answer: { status: 200 } },
    ],
    webhookChallenge: [
      {
        what: 'the question of Dropbox',
        request: () => get('/webhooks/dropbox?challenge=a%20b'),
        answer: { status: 200, text: /^a b$/ },
      },
    ],
    openapi: [
      {
        what: 'a program',
        request: () => get('/openapi.json', ['accept-encoding', 'gzip']),
        answer: { status: 200, json: { openapi: '3.1.1' }, headers: { 'content-encoding': /^gzip$/ } },
      },
    ],
    docs: [{ what: 'a reader', request: () => get('/docs'), answer: { status: 200, headers: html } }],
    docsAsset: [
      {
        what: 'a file beside the bundle',
        request: () => get('/docs/swagger-ui.css'),
        answer: { status: 200, headers: { 'content-type': /^text\/css/ } },
      },
    ],
    fallback: [
      { what: 'a path of nobody', request: () => get('/nothing'), answer: { status: 404 } },
      {
        what: 'a method that the path does not know',
        request: () => ({ method: 'DELETE', target: '/api/public/hello' }),
        answer: { status: 405, headers: { allow: /^GET$/ } },
      },
    ],
  }

  const jobs: RealEvents['jobs'] = {
    retryEvent: [
      {
        what: 'a hint of an event that is no more',
        event: () => sqsBatch(JSON.stringify({ source: 'payment', eventId: `pay-${randomUUID()}`, n: 0 })),
        result: failures(),
      },
      {
        what: 'a batch of a hint and of what is none',
        event: async () => {
          const target = `/api/webhooks/events/payment/${await failedEvent()}/retry`
          await call('webhookEventRetry', postJson(target, {}, await admin()))
          return withPoison('retry')
        },
        result: failures('message-0'),
      },
    ],
    replayStep: [
      {
        what: 'a hint of a replay that is no more',
        event: () => sqsBatch(JSON.stringify({ replayId: `replay-${randomUUID()}`, step: 0 })),
        result: failures(),
      },
      {
        what: 'the step of a replay',
        event: async () => {
          await newReplay()
          return callers.receive('replay')
        },
        result: failures(),
      },
    ],
    retryScan: [
      {
        what: 'a schedule',
        event: () => SCHEDULED,
        result: z.strictObject({ sent: z.number(), oldestDueMs: z.number() }),
      },
    ],
  }

  return { requests, jobs }
}
