import { expect } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CHANNELS, type Channel } from '../support/channels.ts'
import { basic, bearer, type Call, call, challengeOf, form } from '../support/client.ts'
import { postPayment } from '../support/events.ts'
import { claims, forge } from '../support/forge.ts'
import type { Checks } from './checks.ts'
import type { Kind } from './profiles.ts'
import {
  badBasic,
  badToken,
  expectRefusal,
  noCredentials,
  notAccepted,
  originRefused,
  type Refusal,
  wrongRole,
} from './refusals.ts'
import { methodDenied, newUser, postUser, SECURED } from './user-administration.ts'

const INFO = '/api/auth/info'
const ADMIN = '/api/admin/secure'
const LOGIN = '/api/auth/login'
const [CREATE] = SECURED

const ENDED_SESSION: Call = { headers: { cookie: `JSESSIONID=${'A'.repeat(43)}` } }

/** Credentials of each kind that are wrong, and what they are told. */
const WRONG: Readonly<Record<Kind, readonly [Call, Refusal]>> = {
  JWT: [bearer('a.b.c'), badToken(ADMIN, 'MALFORMED')],
  'Basic, database': [basic('admin', 'wrong'), badBasic(ADMIN)],
  'Basic, directory': [basic('ldapadmin', 'wrong'), badBasic(ADMIN)],
  'OAuth2 session': [ENDED_SESSION, noCredentials(ADMIN)],
  'form session': [ENDED_SESSION, noCredentials(ADMIN)],
}

const elsewhere = { origin: 'https://evil.example' }

export const ruleChecks = {
  '5/rule-1': async ({ kinds, admins, users, store }) => {
    const { headers, body = '' } = CREATE.request
    const both = { ...elsewhere, ...ENDED_SESSION.headers, authorization: 'Bearer a.b.c' }
    const foreign = { method: 'POST', body, headers: { ...headers, ...both } }
    const first = await call(CREATE.path, foreign)
    expectRefusal(first, originRefused(CREATE.path, elsewhere.origin), 'CSRF before JWT')
    expect(first.headers, 'the header writer before the rest').toMatchObject({ 'x-content-type-options': 'nosniff' })

    const unknown = kinds.includes('JWT') ? badToken(CREATE.path, 'MALFORMED') : notAccepted(CREATE.path)
    const tokenAndBody = { ...CREATE.request, headers: { ...headers, authorization: 'Bearer a.b.c' } }
    expectRefusal(await call(CREATE.path, tokenAndBody), unknown, 'JWT before the authorization check')
    if (kinds.includes('JWT')) {
      const [session] = admins.filter(({ kind }) => kind === 'form session')
      const both = await session?.call(INFO, bearer(await tokenOf(`${store}user`)))
      expect(both?.json, 'JWT before the form').toMatchObject({ username: `${store}user`, authType: 'JWT' })
    }
    for (const user of users) {
      expectRefusal(await user.call(CREATE.path, CREATE.request), methodDenied(CREATE, user, 'role'), user.kind)
    }
    for (const { kind, call } of admins) {
      expect((await call(CREATE.path, CREATE.request)).status, `${kind}: then the handler`).toBe(400)
    }
  },

  '5/rule-2': async ({ store }) => {
    const token = await tokenOf(`${store}user`)
    for (const [sub, role] of [
      [`${store}user`, 'ROLE_ADMIN'],
      ['somebody', 'ROLE_USER'],
    ]) {
      const { json } = await call(INFO, bearer(forge(claims({ sub, role }))))
      expect(json).toMatchObject({ username: sub, authorities: [{ authority: role }], authType: 'JWT' })
    }
    const changed = token.replace(/\.[^.]+\./, `.${forge().split('.')[1]}.`)
    expectRefusal(await call(INFO, bearer(changed)), badToken(INFO, 'INVALID_SIGNATURE'))
    for (const headers of [
      { cookie: `Authorization=Bearer ${token}` },
      { 'x-authorization': `Bearer ${token}` },
      { authorization: token },
    ]) {
      expectRefusal(await call(INFO, { headers }), notAccepted(INFO))
    }
    expectRefusal(await call(`${INFO}?access_token=${token}`), notAccepted(INFO))
  },

  '5/rule-3': async ({ admin }) => {
    const answers = [
      await call('/api/public/hello'),
      await call('/login'),
      await call(ADMIN),
      await admin.call(ADMIN),
      await call('/nothing'),
      await call('/nothing', { method: 'DELETE' }),
      await call('/login', { ...form({ username: 'nobody', password: 'x' }), headers: { accept: 'text/html' } }),
      await postPayment('{'),
      await call('/webhooks/stripe', { method: 'POST' }),
    ]
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
        'x-xss-protection': '0',
      })
    }
    expect(answers[1]?.headers['content-security-policy']).toContain("default-src 'none'")
  },

  '5/rule-4': async ({ kinds, users, guests }) => {
    expectRefusal(await call(ADMIN), noCredentials(ADMIN))
    for (const kind of kinds) {
      const [request, refusal] = WRONG[kind]
      expectRefusal(await call(ADMIN, request), refusal, kind)
    }
    for (const { kind, roles, call } of [...users, ...guests]) {
      expectRefusal(await call(ADMIN), wrongRole(ADMIN, 'ROLE_ADMIN', roles), kind)
    }
  },

  '5/rule-5': async ({ own }) => {
    for (const path of [INFO, ADMIN, '/api/user/secure', ...own]) {
      for (const credentials of [{}, ENDED_SESSION, { headers: { authorization: 'Digest username="admin"' } }]) {
        const answer = await call(path, credentials)
        expect([answer.status, challengeOf(answer)], path).toEqual([401, 'Bearer realm="API"'])
      }
    }
    const answer = await call(CREATE.path, postUser(newUser()))
    expect([answer.status, challengeOf(answer)]).toEqual([401, 'Bearer realm="API"'])
  },

  '5/rule-6': async ({ kinds, store }) => {
    const username = `${store}user`
    const tokens = [await tokenOf(username), forge(claims({ sub: username, role: 'ROLE_USER' }))]
    const { HTTP, ...others } = CHANNELS
    const channels = { ...others, ...(kinds.includes('JWT') && { HTTP }) }
    for (const [name, { enter, administer, administered }] of Object.entries<Channel>(channels)) {
      for (const token of tokens) {
        expect(await enter(token), name).toEqual({ username })
        expect(await administer(token), name).toMatchObject({ status: 403, details: administered })
      }
      expect(await enter('a.b.c'), name).toMatchObject({ status: 401, details: { tokenStatus: 'MALFORMED' } })
      expect(await enter(undefined), name).toMatchObject({ status: 401, message: 'Authentication required' })
    }
  },

  '5/rule-7': async ({ store }) => {
    const request = form({ username: `${store}user`, password: demoUser(`${store}user`).password })
    for (const credentials of [{}, { authorization: 'Bearer a.b.c' }, { authorization: 'Basic !' }]) {
      const headers = { ...request.headers, ...credentials }
      expect((await call(LOGIN, { ...request, headers })).status).toBe(200)
      expect((await call('/api/public/hello', { headers: credentials })).status).toBe(200)
    }
  },
} satisfies Checks<'5'>
