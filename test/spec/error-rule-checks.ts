import { expect } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { type Answer, bearer, call, form } from '../support/client.ts'
import { payment, postPayment } from '../support/events.ts'
import { claims, encode, forge, HEADER } from '../support/forge.ts'
import { storeBrokenEvent } from './broken-event.ts'
import type { Checks } from './checks.ts'
import { badToken, expectRefusal, expiredToken, unknownPath } from './refusals.ts'
import { newUser, postUser } from './user-administration.ts'
import { expectResponse, secondsFromNow } from './webhook-signatures.ts'
import type { World } from './world.ts'

const LOGIN = '/api/auth/login'
const INFO = '/api/auth/info'
const ADMIN = '/api/admin/secure'
const USERS = '/api/users'

type Failing = readonly [status: number, path: string, answer: (path: string) => Promise<Answer>]

/** One call for each status that the API refuses with; the query is no part of the path. */
const failingCalls = ({ admin, users }: World): readonly Failing[] => [
  [400, LOGIN, (path) => call(`${path}?a=b`, form(''))],
  [400, USERS, (path) => admin.call(path, postUser({}))],
  [401, INFO, (path) => call(`${path}?a=b`)],
  [401, LOGIN, (path) => call(path, form({ username: 'nobody', password: 'wrong' }))],
  [401, '/login', (path) => call(path, form({ username: 'nobody', password: 'wrong' }))],
  ...users.map(({ call }): Failing => [403, ADMIN, call]),
  [403, '/logout', (path) => call(path, { method: 'POST', headers: { origin: 'https://evil.example' } })],
  [404, '/nothing', (path) => call(`${path}?a=b`)],
  [404, `${USERS}/nobody`, (path) => admin.call(path, { method: 'DELETE' })],
  [405, INFO, (path) => call(`${path}?a=b`, { method: 'PUT' })],
  [409, USERS, (path) => admin.call(path, postUser(newUser('admin')))],
  [413, LOGIN, (path) => call(path, form({ username: 'a'.repeat(1_100_000) }))],
  [415, USERS, (path) => admin.call(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })],
  [431, INFO, (path) => call(path, bearer('x'.repeat(11_000)))],
]

const FIELDS = ['timestamp', 'status', 'error', 'message', 'path']

const malformed = () => [
  'nonsense',
  `${forge()}.x`,
  `${encode('{')}.${forge().split('.').slice(1).join('.')}`,
  forge(['a list']),
]

const missing = () => ['sub', 'role', 'iat', 'exp'].map((name) => forge(claims({ [name]: undefined })))

const expectBadTokens = async (tokens: readonly string[], tokenStatus: string) => {
  for (const token of tokens) expectRefusal(await call(INFO, bearer(token)), badToken(INFO, tokenStatus), token)
}

export const errorRuleChecks = {
  '7/rule-1': async (world) => {
    const broken: Failing = [500, await storeBrokenEvent(), world.admin.call]
    for (const [status, path, answer] of [...failingCalls(world), broken]) {
      const { json, status: answered } = await answer(path)
      expect([answered, json.status, json.path]).toEqual([status, status, path])
      const { details, ...required } = json
      expect(Object.keys(required)).toEqual(FIELDS)
      expect(['undefined', 'object']).toContain(typeof details)
    }
  },

  '7/rule-2-kinds': async () => {
    const [header, payload] = forge().split('.')
    await expectBadTokens([`${header}.${payload}.${'A'.repeat(86)}`], 'INVALID_SIGNATURE')
    await expectBadTokens(malformed(), 'MALFORMED')
    await expectBadTokens(missing(), 'MISSING_CLAIMS')
    const exp = secondsFromNow(-1)
    const expired = await call(INFO, bearer(forge(claims({ exp }))))
    expectRefusal(expired, expiredToken(INFO, new Date(exp * 1000)))
  },

  '7/rule-2-others': async () => {
    await expectBadTokens([''], 'MISSING')
    await expectBadTokens(['a.b.c', forge(claims({ note: 'x'.repeat(4096) }))], 'MALFORMED')
    const unsupported = [
      forge(claims(), { alg: 'HS256' }, 'sha256'),
      `${encode({ alg: 'none' })}.${encode(claims())}.`,
      forge(claims(), { ...HEADER, crit: ['b64'] }),
    ]
    await expectBadTokens(unsupported, 'UNSUPPORTED_ALGORITHM')
    await expectBadTokens([forge(claims({ role: undefined }))], 'MISSING_CLAIMS')
    const invalid = [{ role: 'ROOT' }, { sub: '' }, { exp: 'soon' }, { iss: 'https://evil.example' }]
    await expectBadTokens(
      invalid.map((change) => forge(claims(change))),
      'INVALID_CLAIMS',
    )
    const early = [{ iat: secondsFromNow(60) }, { nbf: secondsFromNow(60) }]
    await expectBadTokens(
      early.map((change) => forge(claims(change))),
      'NOT_YET_VALID',
    )
  },

  '7/rule-3': async ({ users, guests }) => {
    for (const { kind, roles, call } of [...users, ...guests]) {
      const { json } = await call(ADMIN)
      expect(json, kind).toMatchObject({ status: 403, details: { requiredRole: 'ROLE_ADMIN', userRoles: roles } })
    }
  },

  '7/rule-4': async ({ store }) => {
    const username = `${store}user`
    const exp = secondsFromNow(-1)
    const expired = bearer(forge(claims({ sub: username, role: 'ROLE_USER', exp })))
    expectRefusal(await call(INFO, expired), expiredToken(INFO, new Date(exp * 1000)))
    const login = await call(LOGIN, form({ username, password: demoUser(username).password }))
    expect((await call(INFO, bearer(login.json.token))).json.username).toBe(username)
    for (const path of ['/api/auth/refresh', '/api/auth/token', '/api/auth/login/refresh', '/oauth2/token']) {
      for (const request of [expired, { ...expired, method: 'POST' }]) {
        expectRefusal(await call(path, request), unknownPath(path))
      }
    }
  },

  '7/rule-6': async () => {
    const [AMOUNT, REQUIRED] = ['must be a decimal number of at least 0.01 with at most 38 digits', 'is required']
    for (const [body, rule] of [
      ['{', 'body must be JSON'],
      [payment({ amount: 0 }), `amount ${AMOUNT}`],
      [payment({ transactionId: null }), `transactionId ${REQUIRED}`],
      [payment({ orderId: undefined, currency: undefined }), `currency ${REQUIRED}; orderId ${REQUIRED}`],
    ] as const) {
      expectResponse(await postPayment(body), 400, `Validation failed: ${rule}`)
    }
  },
} satisfies Checks<'7'>
