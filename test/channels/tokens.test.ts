import type { DescMessage } from '@bufbuild/protobuf'
import { describe, expect, it, vi } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Role } from '../../proto/gen/gatehouse/v1/role_pb.ts'
import { SecureService } from '../../proto/gen/gatehouse/v1/secure_pb.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { BAD_TOKENS } from '../support/bad-tokens.ts'
import { onEachChannel } from '../support/channels.ts'
import { bearer, call } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'
import { bearerField, callUnary, type Fields } from '../support/grpc-client.ts'
import { meanwhile } from '../support/meanwhile.ts'
import { logLines } from '../support/service-log.ts'
import { callStomp } from '../support/stomp-call.ts'

const { whoAmI } = AuthService.method
const { publicHello, userSecure, adminSecure } = SecureService.method

/** The same on every channel. */
const alike = (verdict: unknown) => onEachChannel(() => verdict)

/** One bad token for each status. */
const BAD = BAD_TOKENS.filter(([status], index) => BAD_TOKENS.findIndex(([other]) => other === status) === index)

describe('H12, J01, J02, J03, J05, J06, J07, G01, T01 channels-1: one token has one verdict on every channel', () => {
  it.each(BAD)('%s: %s', async (tokenStatus, _, make) => {
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

  it('that of an admin allows actions of an admin; that of a user does not, and the error names both roles', async () => {
    const [admin, token] = [await tokenOf('admin'), await tokenOf('user')]
    expect(await onEachChannel(({ administer }) => administer(admin))).toEqual(await alike({ username: 'admin' }))
    expect(await onEachChannel(({ enter }) => enter(token))).toEqual(await alike({ username: 'user' }))
    expect(await onEachChannel(({ administer }) => administer(token))).toEqual(
      await onEachChannel(({ administered }) => ({
        status: 403,
        message: "You don't have permission to access this resource",
        details: { requiredRole: 'ROLE_ADMIN', userRoles: 'ROLE_USER', ...administered },
      })),
    )
  })

  it.each([
    ['bEARER ', 'admin'],
    ['Bearer:', undefined],
  ])('H12 an Authorization is parsed alike on every channel, whatever the passcode: %j', async (scheme, user) => {
    const headers = { authorization: `${scheme} ${forge()}` }
    const [http, grpc, stomp] = await Promise.all([
      call('/api/auth/info', { headers }),
      callUnary(whoAmI, {}, headers),
      callStomp(`CONNECT\naccept-version:1.2\nAuthorization:${headers.authorization}\npasscode:${forge()}\n\n\0`),
    ])
    const users = [http.json.username, grpc.messages[0]?.username, stomp.answers[0]?.headers['user-name']]
    expect(users).toEqual([user, user, user])
  })
})

describe('channels-6: a call with a valid token reaches the service', () => {
  it('WhoAmI describes the caller as GET /api/auth/info does', async () => {
    const token = await tokenOf('admin')
    const { json } = await call('/api/auth/info', bearer(token))
    const { code, messages } = await callUnary(whoAmI, {}, bearerField(token))
    expect(code).toBe('OK')
    const [answer] = messages
    expect(answer).toMatchObject({
      authenticated: json.authenticated,
      username: json.username,
      authorities: [Role.ADMIN],
      authType: json.authType,
      principalType: json.principalType,
    })
    expect(Number(answer?.tokenExpiresAt?.seconds) * 1000).toBe(Date.parse(json.tokenExpiresAt))
  })

  it.each([
    [adminSecure, '/api/admin/secure', 'admin', Role.ADMIN],
    [userSecure, '/api/user/secure', 'user', Role.USER],
  ] as const)('$name greets as GET %s does', async (method, path, username, role) => {
    const token = await tokenOf(username)
    const { json } = await call(path, bearer(token))
    const { messages } = await callUnary(method as typeof userSecure, {}, bearerField(token))
    const { message, user, authType } = json
    expect(messages).toMatchObject([{ message, user, authorities: [role], authType }])
  })

  it('PublicHello greets without credentials, and with bad ones, as GET /api/public/hello does', async () => {
    const { json } = await call('/api/public/hello')
    for (const fields of [{}, { authorization: 'Bearer nonsense' }]) {
      expect((await callUnary(publicHello, {}, fields)).messages).toMatchObject([{ message: json.message }])
    }
  })
})

it.each<[string, Fields]>([
  ['no metadata', {}],
  ['a token elsewhere', { 'x-authorization': 'Bearer a.b.c', 'authorization-bin': Buffer.from('Bearer a.b.c') }],
])('G01 %s: UNAUTHENTICATED', async (_, fields) => {
  const { code, text, rich, trailers } = await callUnary(whoAmI, {}, fields)
  expect([code, text, rich?.reason]).toEqual(['UNAUTHENTICATED', 'Authentication required', 'TOKEN_MISSING'])
  expect(trailers).toMatchObject({ 'www-authenticate': 'Bearer realm="API"' })
})

describe('a wrong role', () => {
  it.each([
    ['GetWebhookEvent', WebhookEventService.method.getWebhookEvent],
    ['ListWebhookEvents', WebhookEventService.method.listWebhookEvents],
    ['RetryWebhookEvent', WebhookEventService.method.retryWebhookEvent],
  ] as const)('%s is PERMISSION_DENIED for a user, and the error names the roles', async (action, method) => {
    const fields = bearerField(await tokenOf('user'))
    const { code, text, rich } = await callUnary<DescMessage, DescMessage>(method, {}, fields)
    expect([code, text]).toEqual(['PERMISSION_DENIED', "You don't have permission to access this resource"])
    const resource = `/${method.parent.typeName}/${action}`
    const facts = { requiredRole: 'ROLE_ADMIN', userRoles: 'ROLE_USER', resource, action }
    expect(rich).toMatchObject({ reason: 'ROLE_REQUIRED', facts })
  })
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
