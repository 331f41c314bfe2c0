import { randomUUID } from 'node:crypto'
import type { DescMessage } from '@bufbuild/protobuf'
import { describe, expect, it, vi } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Role } from '../../proto/gen/gatehouse/v1/role_pb.ts'
import { SecureService } from '../../proto/gen/gatehouse/v1/secure_pb.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { BAD_TOKENS } from '../support/bad-tokens.ts'
import { onEachChannel } from '../support/channels.ts'
import { bearer, call, form } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import { claims, forge } from '../support/forge.ts'
import { bearerField, callUnary, type Fields } from '../support/grpc-client.ts'
import { meanwhile } from '../support/meanwhile.ts'
import { logLines } from '../support/service-log.ts'
import { callStomp } from '../support/stomp-call.ts'

const { whoAmI } = AuthService.method
const { publicHello, userSecure, adminSecure } = SecureService.method

/** The same on every channel. */
const alike = (verdict: unknown) => onEachChannel(() => verdict)

describe('H12, J01, J02, J03, J05, J06, J07, G01, T01 channels-1: one token has one verdict on every channel', () => {
  it.each([
    ['admin', { username: 'admin' }],
    ['user', { username: 'user' }],
  ])('the token of %s is accepted', async (username, verdict) => {
    const token = await tokenOf(username)
    expect(await onEachChannel(({ enter }) => enter(token))).toEqual(await alike(verdict))
  })

  it.each(BAD_TOKENS)('%s: %s', async (tokenStatus, _, make) => {
    const token = make()
    const verdicts = await onEachChannel(({ enter }) => enter(token))
    expect(verdicts.HTTP).toEqual({
      status: 401,
      message: 'Invalid or expired JWT token',
      details: { tokenStatus, tokenError: expect.any(String) },
    })
    expect(verdicts).toEqual(await alike(verdicts.HTTP))
    if (token !== '') expect(JSON.stringify(verdicts)).not.toContain(token.slice(0, 40))
  })

  it('EXPIRED: an expired one, with its end and the present time', async () => {
    const isMeanwhile = meanwhile()
    const exp = Math.floor(Date.now() / 1000) - 1
    const token = forge(claims({ exp }))
    expect(await onEachChannel(({ enter }) => enter(token))).toEqual(
      await alike({
        status: 401,
        message: 'JWT token has expired',
        details: {
          tokenStatus: 'EXPIRED',
          tokenError: expect.any(String),
          expiredAt: new Date(exp * 1000).toISOString(),
          currentTime: expect.toSatisfy((time: string) => isMeanwhile(Date.parse(time))),
        },
      }),
    )
  })

  it('no token at all', async () => {
    const refusal = { status: 401, message: 'Authentication required', details: {} }
    expect(await onEachChannel(({ enter }) => enter(undefined))).toEqual(await alike(refusal))
    expect(await onEachChannel(({ administer }) => administer(undefined))).toEqual(await alike(refusal))
  })

  it('that of an admin allows actions of an admin', async () => {
    const token = await tokenOf('admin')
    expect(await onEachChannel(({ administer }) => administer(token))).toEqual(await alike({ username: 'admin' }))
  })

  it('that of a user does not, and the error names the required and the present role', async () => {
    const token = await tokenOf('user')
    expect(await onEachChannel(({ administer }) => administer(token))).toEqual(
      await onEachChannel(({ administered }) => ({
        status: 403,
        message: "You don't have permission to access this resource",
        details: { requiredRole: 'ROLE_ADMIN', userRoles: 'ROLE_USER', ...administered },
      })),
    )
  })
})

describe('H12 an Authorization is parsed alike on every channel', () => {
  async function usersOf(authorization: string) {
    const headers = { authorization }
    const [http, grpc, stomp] = await Promise.all([
      call('/api/auth/info', { headers }),
      callUnary(whoAmI, {}, headers),
      callStomp(`CONNECT\naccept-version:1.2\nAuthorization:${authorization}\npasscode:${forge()}\n\n\0`),
    ])
    return [http.json.username, grpc.messages[0]?.username, stomp.answers[0]?.headers['user-name']]
  }

  it.each(['bearer', 'BEARER', 'Bearer '])(
    'the scheme in any case, followed by one or more spaces: %j',
    async (scheme) => {
      expect(await usersOf(`${scheme} ${forge()}`)).toEqual(['admin', 'admin', 'admin'])
    },
  )

  it.each(['Bearer', 'Token', 'Basic', 'Bearer:'])('another scheme, whatever the passcode: %s', async (scheme) => {
    const separator = scheme === 'Bearer' ? '' : ' '
    expect(await usersOf(`${scheme}${separator}${forge()}`)).toEqual([undefined, undefined, undefined])
  })
})

describe('channels-6: a call with a valid token reaches the service', () => {
  it.each([
    ['admin', 'ROLE_ADMIN'],
    ['user', 'ROLE_USER'],
  ] as const)('WhoAmI describes %s as GET /api/auth/info does', async (username, authority) => {
    const token = await tokenOf(username)
    const { json } = await call('/api/auth/info', bearer(token))
    const { code, messages } = await callUnary(whoAmI, {}, bearerField(token))
    expect(code).toBe('OK')
    const [answer] = messages
    expect(answer).toMatchObject({
      authenticated: json.authenticated,
      username: json.username,
      authorities: [authority === 'ROLE_ADMIN' ? Role.ADMIN : Role.USER],
      authType: json.authType,
      principalType: json.principalType,
    })
    expect(Number(answer?.tokenExpiresAt?.seconds) * 1000).toBe(Date.parse(json.tokenExpiresAt))
  })

  it.each([
    [adminSecure, '/api/admin/secure', 'admin', 'ROLE_ADMIN'],
    [userSecure, '/api/user/secure', 'admin', 'ROLE_ADMIN'],
    [userSecure, '/api/user/secure', 'user', 'ROLE_USER'],
  ] as const)('$name greets as GET %s does', async (method, path, username, authority) => {
    const token = await tokenOf(username)
    const { json } = await call(path, bearer(token))
    const { messages } = await callUnary(method as typeof userSecure, {}, bearerField(token))
    expect(messages).toMatchObject([
      {
        message: json.message,
        user: json.user,
        authorities: [authority === 'ROLE_ADMIN' ? Role.ADMIN : Role.USER],
        authType: json.authType,
      },
    ])
  })

  it.each<[string, Fields]>([
    ['without credentials', {}],
    ['with bad ones', { authorization: 'Bearer nonsense' }],
  ])('PublicHello greets %s as GET /api/public/hello does', async (_, fields) => {
    const { json } = await call('/api/public/hello')
    expect((await callUnary(publicHello, {}, fields)).messages).toMatchObject([{ message: json.message }])
  })

  it('the name of the metadata in any case', async () => {
    expect((await callUnary(whoAmI, {}, { AUTHORIZATION: `Bearer ${forge()}` })).code).toBe('OK')
  })
})

describe('a caller that is not authenticated', () => {
  it.each<[string, Fields]>([
    ['no metadata', {}],
    ['an empty authorization', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YWRtaW46YWRtaW4tZGVtbw==' }],
    ['the token without its scheme', { authorization: 'a.b.c' }],
    ['the token under another name', { token: 'a.b.c', 'x-authorization': 'Bearer a.b.c' }],
    ['a cookie', { cookie: 'JSESSIONID=a' }],
  ])('G01 %s: UNAUTHENTICATED', async (_, fields) => {
    const { code, text, rich, trailers } = await callUnary(whoAmI, {}, fields)
    expect([code, text]).toEqual(['UNAUTHENTICATED', 'Authentication required'])
    expect(rich?.reason).toBe('TOKEN_MISSING')
    expect(trailers).toMatchObject({ 'www-authenticate': 'Bearer realm="API"' })
  })

  it('G01 a valid token in authorization-bin is ignored', async () => {
    const { rich } = await callUnary(whoAmI, {}, { 'authorization-bin': Buffer.from(`Bearer ${forge()}`) })
    expect(rich?.reason).toBe('TOKEN_MISSING')
  })

  it('G01 two tokens joined by a comma are refused', async () => {
    const { rich } = await callUnary(whoAmI, {}, { authorization: `Bearer ${forge()},Bearer ${forge()}` })
    expect(rich?.reason).toBe('TOKEN_MALFORMED')
  })
})

describe('a wrong role', () => {
  it.each([
    ['GetWebhookEvent', WebhookEventService.method.getWebhookEvent],
    ['ListWebhookEvents', WebhookEventService.method.listWebhookEvents],
    ['RetryWebhookEvent', WebhookEventService.method.retryWebhookEvent],
  ] as const)(
    '%s is PERMISSION_DENIED for a user, and the error names the required and the present role',
    async (action, method) => {
      const { code, text, rich } = await callUnary<DescMessage, DescMessage>(
        method,
        {},
        bearerField(await tokenOf('user')),
      )
      expect([code, text]).toEqual(['PERMISSION_DENIED', "You don't have permission to access this resource"])
      expect(rich).toMatchObject({
        reason: 'ROLE_REQUIRED',
        facts: {
          requiredRole: 'ROLE_ADMIN',
          userRoles: 'ROLE_USER',
          resource: `/${method.parent.typeName}/${action}`,
          action,
        },
      })
    },
  )
})

it('J15 the log of a refused call contains the code and the path, and nothing of the token', async () => {
  const token = forge(claims({ sub: `canary-${crypto.randomUUID()}`, role: 'nobody' }))
  const before = logLines().length - 1
  await callUnary(userSecure, {}, bearerField(token))
  const refusal = '"code":"TOKEN_INVALID","path":"/gatehouse.v1.SecureService/UserSecure"'
  const isWritten = () =>
    logLines()
      .slice(before)
      .some((line) => line.includes(refusal))
  await vi.waitUntil(isWritten, 20_000)
  const written = logLines().slice(before).join()
  for (const part of [...token.split('.'), 'canary-']) expect(written).not.toContain(part)
})

describe('B18 when all logins of an account end', () => {
  const FIRST = 'the first password'
  const SECOND = 'the second password'

  /** What each channel makes of a token where it looks at the account. */
  const changes = (token: string) =>
    Promise.all([
      call('/api/users', postJson({}, { ...bearer(token).headers })).then(({ status, json }) => [
        status,
        json.details?.tokenStatus,
      ]),
      callUnary(
        WebhookEventService.method.retryWebhookEvent,
        { source: 'none', eventId: 'none' },
        bearerField(token),
      ).then(({ code, rich }) => [code, rich?.facts['tokenStatus']]),
      callStomp(`CONNECT\naccept-version:1.2\nAuthorization:Bearer ${token}\n\n\0`).then(({ answers: [answer] }) => [
        answer?.command,
        answer?.headers['token-status'],
      ]),
    ])

  it('the token of that very second is refused on every channel, and the first one after it is good', async () => {
    const admin = bearer(await tokenOf('admin'))
    const username = `ends-${randomUUID()}`
    const { json: user } = await call(
      '/api/users',
      postJson({ username, password: FIRST, role: 'ROLE_ADMIN' }, admin.headers),
    )
    const logIn = async (password: string) => (await call('/api/auth/login', form({ username, password }))).json.token
    const old = await logIn(FIRST)
    const patch = { ...postJson({ password: SECOND }, admin.headers), method: 'PATCH' }
    expect((await call(`/api/users/${user.id}`, patch)).status).toBe(200)
    const renewed = await logIn(SECOND)
    expect(await changes(old)).toEqual([
      [401, 'REVOKED'],
      ['UNAUTHENTICATED', 'REVOKED'],
      ['ERROR', 'REVOKED'],
    ])
    expect(await changes(renewed)).toEqual([
      [400, undefined],
      ['NOT_FOUND', undefined],
      ['CONNECTED', undefined],
    ])
  })
})
