import { expect } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { basic, bearer, call, form } from '../support/client.ts'
import { genericSignature, payment, postPayment } from '../support/events.ts'
import { claims, forge } from '../support/forge.ts'
import { meanwhile } from '../support/meanwhile.ts'
import { storeBrokenEvent } from './broken-event.ts'
import type { Checks } from './checks.ts'
import { FAILURE, failingPayment } from './failing-payment.ts'
import {
  badBasic,
  badToken,
  expectRefusal,
  expiredToken,
  noCredentials,
  unknownPath,
  wrongMethod,
  wrongRole,
} from './refusals.ts'
import { methodDenied, SECURED } from './user-administration.ts'
import {
  BAD_SIGNATURE,
  eventA,
  eventB,
  expectResponse,
  expectTextA,
  expectTextB,
  orderStatus,
  postA,
  postB,
  postOrder,
  REPLAY,
  secondsFromNow,
  signatureA,
} from './webhook-signatures.ts'

const LOGIN = '/api/auth/login'
const INFO = '/api/auth/info'
const ADMIN = '/api/admin/secure'

const EMPTY = {
  username: 'Username is required and cannot be empty',
  password: 'Password is required and cannot be empty',
}

export const errorChecks = {
  '7/400-parameters': async () => {
    const refusal = {
      status: 400,
      message: 'Validation failed for request parameters',
      path: LOGIN,
      details: {
        validationErrors: [
          { field: 'username', message: EMPTY.username, rejectedValue: '' },
          { field: 'password', message: EMPTY.password, rejectedValue: '' },
        ],
      },
    }
    expectRefusal(await call(LOGIN, form({ username: '', password: '' })), refusal)
  },

  '7/400-webhook': async () => {
    const payload = eventA()
    expectTextA(await postA(payload, signatureA(`${payload} `)), 'refused')
    expectTextA(await postA(payload, signatureA(payload, secondsFromNow(-400))), 'refused')
    const body = JSON.stringify(payment())
    expectResponse(await postPayment(body, genericSignature(body, secondsFromNow(-400))), 400, REPLAY)
  },

  '7/401-no-credentials': async ({ own }) => {
    for (const path of [INFO, ADMIN, '/api/user/secure', ...own]) {
      expectRefusal(await call(path), noCredentials(path))
    }
  },

  '7/401-invalid-jwt': async ({ store }) => {
    const [header, payload] = (await tokenOf(`${store}admin`)).split('.')
    const invalid = bearer(`${header}.${payload}.${'A'.repeat(86)}`)
    for (const path of [INFO, ADMIN]) {
      expectRefusal(await call(path, invalid), badToken(path, 'INVALID_SIGNATURE'))
    }
  },

  '7/401-expired-jwt': async () => {
    for (const exp of [secondsFromNow(-1), secondsFromNow(-86_400)]) {
      const isMeanwhile = meanwhile()
      const answer = await call(INFO, bearer(forge(claims({ iat: exp - 10, exp }))))
      expectRefusal(answer, expiredToken(INFO, new Date(exp * 1000)))
      expect(Date.parse(answer.json.details.currentTime)).toSatisfy(isMeanwhile)
    }
  },

  '7/401-basic': async ({ own }) => {
    for (const path of [ADMIN, ...own.filter((path) => path.endsWith('/users'))]) {
      for (const username of ['jdbcadmin', 'ldapadmin', 'nobody']) {
        expectRefusal(await call(path, basic(username, 'wrong')), badBasic(path), username)
      }
    }
  },

  '7/401-webhook': async () => {
    const body = JSON.stringify(payment())
    for (const signature of ['0'.repeat(64), 'nonsense', '']) {
      expectResponse(await postPayment(body, { 'x-signature': signature }), 401, BAD_SIGNATURE)
      expectResponse(await postOrder(orderStatus(), { 'x-signature': signature }), 401, BAD_SIGNATURE)
      expectTextB(await postB(eventB(), signature), 'refused')
      expectTextB(await postB(eventB(), `sha256=${signature}`), 'refused')
    }
    expectResponse(await postOrder(orderStatus(), {}), 401, BAD_SIGNATURE)
    expectTextB(await postB(eventB(), undefined), 'refused')
  },

  '7/403-role': async ({ users, guests }) => {
    for (const { kind, roles, call } of [...users, ...guests]) {
      expectRefusal(await call(ADMIN), wrongRole(ADMIN, 'ROLE_ADMIN', roles), kind)
    }
  },

  '7/403-method': async ({ users, guests }) => {
    for (const caller of [...users, ...guests]) {
      for (const secured of SECURED) {
        const answer = await caller.call(secured.path, secured.request)
        expectRefusal(answer, methodDenied(secured, caller, 'role'), caller.kind)
      }
    }
  },

  '7/404': async ({ admin }) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const path of ['/nothing', '/api/users/a/b']) {
        expectRefusal(await call(path, { method }), unknownPath(path), method)
        expectRefusal(await admin.call(path, { method }), unknownPath(path), method)
      }
    }
  },

  '7/405': async ({ admin }) => {
    for (const [method, path, supported] of [
      ['POST', ADMIN, ['GET', 'HEAD']],
      ['PUT', '/login', ['GET', 'HEAD', 'POST']],
      ['GET', LOGIN, ['POST']],
      ['OPTIONS', '/api/users', ['GET', 'HEAD', 'POST']],
    ] as const) {
      for (const answer of [await call(path, { method }), await admin.call(path, { method })]) {
        expectRefusal(answer, wrongMethod(path, method, supported), path)
        expect(answer.headers['allow']).toBe(supported.join(', '))
      }
    }
  },

  '7/500': async ({ admin }) => {
    const path = await storeBrokenEvent()
    expectRefusal(await admin.call(path), { status: 500, message: 'An unexpected error occurred', path })
    expectResponse(await postPayment(await failingPayment()), 500, `Processing failed: ${FAILURE}`)
  },
} satisfies Checks<'7'>
