import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type AuthorizationRequest,
  type ExpectedAnswer,
  type IdentityProvider,
  type LoginRefusalReason,
  LoginRefused,
} from '../../../../lib/auth/oauth2/identity-provider.ts'
import { createOAuth2Login } from '../../../../lib/auth/oauth2/login.ts'
import { showRefused } from '../../../../lib/auth/oauth2/receive.ts'
import { createTransactions } from '../../../../lib/auth/oauth2/transaction.ts'
import type { SessionUser } from '../../../../lib/auth/session.ts'
import { unavailable } from '../../../../lib/errors.ts'
import type { ClaimedRoles } from '../../../../lib/runtime/settings/oidc.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { recordingLogins } from '../../../support/fakes/trail.ts'
import { unpackedLogin } from '../../../support/refused-login.ts'

const USER = { sub: '1', name: 'Ada' }
const CAUSE = new Error('the client library')

interface Options {
  readonly attributes?: () => Promise<Record<string, unknown>>
  readonly start?: (user: SessionUser) => Promise<{ id: string; key: string }>
  readonly showsRefusals?: boolean
  readonly metadata?: LoginRefused
  readonly roles?: ClaimedRoles
}

function setUp({ attributes = async () => USER, start, showsRefusals = false, metadata, roles }: Options = {}) {
  const log = recordingLog()
  const users: SessionUser[] = []
  const former: (string | undefined)[] = []
  const asked: AuthorizationRequest[] = []
  const answered: { readonly callback: string; readonly expected: ExpectedAnswer }[] = []
  const google: IdentityProvider = {
    roles,
    authorizationAddress: async (request) => {
      if (metadata) throw metadata
      asked.push(request)
      return new URL(`https://idp.example/?to=${request.redirectUri}&state=${request.state}`)
    },
    attributesOf: async (callback, expected) => {
      answered.push({ callback: callback.href, expected })
      return attributes()
    },
  }
  const logins = recordingLogins()
  const login = createOAuth2Login({
    providers: new Map(['google', 'facebook'].map((id) => [id, google])),
    transactions: createTransactions({ current: [Buffer.alloc(32, 1)] }, fixedClock()),
    sessions: {
      start: async (user, previous) => {
        former.push(previous)
        users.push(user)
        return start ? start(user) : { id: 'new', key: 'key' }
      },
    },
    logins,
    admins: ['google:1'],
    baseUrl: new URL('https://gatehouse.example'),
    showsRefusals,
    clock: fixedClock(),
    log,
  })
  return { login, logins, log, users, former, asked, answered }
}

interface Return {
  readonly registrationId: string | undefined
  readonly changed?: (state: string) => string
}

async function wholeLogin(
  { login }: ReturnType<typeof setUp>,
  returnTo?: string,
  query = '',
  { registrationId, changed = String }: Return = { registrationId: 'google' },
) {
  const { location, cookies } = await login.start({ registrationId: 'google', returnTo, cookies: new Map() })
  const state = changed(new URL(location).searchParams.get('state') ?? '')
  return login.finish({
    registrationId,
    query: `code=secret-code&state=${state}${query}`,
    cookies: new Map(cookies.map(({ name, value = '' }) => [name, value])),
    sessionId: 'old',
    address: '192.0.2.1',
  })
}

describe('an OAuth2 login', () => {
  it('creates a session for provider and subject, with the role of the list, in place of the former one', async () => {
    const parts = setUp()
    const arrival = await wholeLogin(parts, '/api/auth/info')
    expect(arrival).toMatchObject({ location: '/api/auth/info', started: { id: 'new' } })
    expect(parts.users).toMatchObject([
      { username: 'google:1', roles: ['ROLE_ADMIN'], authType: 'OAuth2', principalType: 'OidcUser' },
    ])
    expect(parts.former).toEqual(['old'])
    expect(parts.log.of('OAuth2 login')).toEqual([{ provider: 'google' }])
  })

  it('A02 is recorded with the session that it starts', async () => {
    const parts = setUp()
    await wholeLogin(parts)
    expect(parts.logins.kept).toEqual([
      ['login.accepted', expect.objectContaining({ uid: 'google:1', authType: 'OAuth2' }), '192.0.2.1'],
    ])
  })

  it('A03 that fails at the provider is not recorded: strangers cannot fill the trail with it', async () => {
    const parts = setUp({ attributes: () => Promise.reject(new LoginRefused('refused-by-provider')) })
    await wholeLogin(parts, '/', '&error=access_denied')
    expect(parts.logins.kept).toEqual([])
  })

  it('stores its steps and checks with the session, without secrets', async () => {
    const parts = setUp()
    await wholeLogin(parts)
    const [user] = parts.users
    expect(user?.oauth2?.login).toMatchObject({
      at: '2026-01-02T03:04:05.000Z',
      steps: [
        { name: 'authorization', method: 'GET', url: 'https://idp.example/' },
        {
          name: 'callback',
          method: 'GET',
          url: 'https://gatehouse.example/login/oauth2/code/google',
          sent: [
            { name: 'code', value: '…' },
            { name: 'state', value: expect.stringMatching(/^.{4}…$/) },
          ],
          checks: [
            { name: 'transaction', result: 'PASSED' },
            { name: 'state', result: 'PASSED' },
            { name: 'registration', result: 'PASSED', value: 'google' },
            { name: 'iss', result: 'NOT_SENT' },
            { name: 'answer', result: 'PASSED' },
          ],
        },
      ],
    })
    expect(JSON.stringify(user)).not.toContain('secret-code')
  })

  it.each([
    ['https://idp.example', { name: 'iss', result: 'PASSED', value: 'https://idp.example' }],
    ['', { name: 'iss', result: 'NOT_SENT' }],
  ])('stores the issuer of the callback: %j', async (iss, check) => {
    const parts = setUp()
    await wholeLogin(parts, '/', `&iss=${encodeURIComponent(iss)}`)
    expect(parts.users[0]?.oauth2?.login?.steps[1]?.checks).toContainEqual(check)
  })

  it.each<[string, Options, string, object]>([
    [
      'the provider refuses',
      { attributes: () => Promise.reject(new LoginRefused('answer-rejected', { code: 'OAUTH_X', cause: CAUSE })) },
      'error=provider&id=google&fault=provider',
      { reason: 'answer-rejected', code: 'OAUTH_X', cause: CAUSE },
    ],
    [
      'the provider does not name the user',
      { attributes: async () => ({}) },
      'error=provider&id=google&fault=provider',
      { reason: 'identity-incomplete', change: expect.stringContaining('sub') },
    ],
    [
      'the store of sessions is down',
      { start: () => Promise.reject(unavailable(new Error('down'))) },
      'unavailable',
      { reason: 'unavailable', fault: 'service' },
    ],
  ])(
    'leads to the login page when %s, with the notice %#, and only the log names the cause',
    async (_, options, notice, logged) => {
      const parts = setUp(options)
      const arrival = await wholeLogin(parts, '/wanted?a=b')
      expect(arrival.location).toBe(`/login?${notice}&returnTo=%2Fwanted%3Fa%3Db`)
      expect(arrival.started).toBeUndefined()
      expect(arrival.cookies.map(({ value }) => value)).toEqual([undefined])
      const entries = parts.log.of('OAuth2 login refused')
      expect(entries).toMatchObject([{ provider: 'google', ...logged }])
      expect(JSON.stringify(entries)).not.toContain('secret-code')
    },
  )

  it.each<[string, LoginRefusalReason, string, string]>([
    ['a user who canceled', 'refused-by-provider', 'access_denied', 'canceled=google'],
    ['a failed provider', 'refused-by-provider', 'server_error', 'error=provider&id=google&fault=provider'],
    ['a wrong secret', 'answer-rejected', 'invalid_client', 'error=provider&id=google&fault=settings'],
    ['a login to be ended there', 'refused-by-provider', 'login_required', 'error=provider&id=google&fault=person'],
  ])('names on the login page %s (%s, %s): %s', async (_, reason, error, notice) => {
    const parts = setUp({ attributes: () => Promise.reject(new LoginRefused(reason, { error })) })
    expect((await wholeLogin(parts, '/')).location).toBe(`/login?${notice}`)
  })

  it('with metadata that cannot be used does not begin, and says why', async () => {
    const parts = setUp({ metadata: new LoginRefused('metadata-rejected', { code: 'NO_ALGORITHM' }) })
    const call = { registrationId: 'google', returnTo: '/wanted', cookies: new Map() }
    const location = '/login?error=provider&id=google&fault=provider'
    expect(await parts.login.start(call)).toEqual({ location, cookies: [] })
    expect(parts.log.of('OAuth2 login refused')).toMatchObject([
      { code: 'NO_ALGORITHM', fault: 'provider', change: expect.stringContaining('ES256') },
    ])
  })

  it.each<[string, string[] | undefined, SessionUser['roles'], string | undefined]>([
    ['2', ['staff', 'admins'], ['ROLE_ADMIN'], 'ROLE_ADMIN'],
    ['2', ['staff'], ['ROLE_USER'], undefined],
    ['2', undefined, ['ROLE_USER'], undefined],
    ['1', ['admins'], ['ROLE_ADMIN'], undefined],
  ])(
    'of the user %s with the groups %j has the roles %j, of which the session keeps %s',
    async (sub, groups, roles, claimed) => {
      const map = { admins: 'ROLE_ADMIN', staff: 'ROLE_USER' } as const
      const parts = setUp({ attributes: async () => ({ sub, groups }), roles: { claim: 'groups', map } })
      await wholeLogin(parts)
      expect(parts.users[0]).toMatchObject({ roles })
      expect(parts.users[0]?.oauth2?.claimed).toBe(claimed)
    },
  )

  it('O01 fails when the state differs', async () => {
    const parts = setUp()
    const changed = (state: string) => `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`
    expect(await wholeLogin(parts, '/', '', { registrationId: 'google', changed })).not.toHaveProperty('started')
    expect(parts.users).toEqual([])
    expect(parts.log.of('OAuth2 login refused')).toMatchObject([{ reason: 'state-mismatch' }])
  })

  it('sends the browser away with a state, a nonce and a challenge, and sends the provider their verifiers', async () => {
    const parts = setUp()
    await wholeLogin(parts)
    const [request] = parts.asked
    const [answer] = parts.answered
    expect(request?.redirectUri.href).toBe('https://gatehouse.example/login/oauth2/code/google')
    expect(answer?.callback).toBe(`${request?.redirectUri.href}?code=secret-code&state=${request?.state}`)
    expect(answer?.expected).toMatchObject({ state: request?.state, nonce: request?.nonce })
    const verifier = answer?.expected.codeVerifier ?? ''
    expect(request?.codeChallenge).toBe(createHash('sha256').update(verifier).digest('base64url'))
    expect([request?.nonce, verifier]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ])
    expect(verifier).not.toBe(request?.nonce)
  })

  it('gives the role of a user to who is not in the list', async () => {
    const parts = setUp({ attributes: async () => ({ sub: '2' }) })
    await wholeLogin(parts)
    expect(parts.users[0]?.roles).toEqual(['ROLE_USER'])
  })

  it.each([
    ['a provider without a client', 'github', 'registration-unknown', 'unknown'],
    ['O03 another provider than the one of the start', 'facebook', 'registration-mismatch', 'facebook'],
    ['no provider', undefined, 'registration-unknown', 'unknown'],
  ])('is refused for a callback of %s', async (_, registrationId, reason, provider) => {
    const parts = setUp()
    const arrival = await wholeLogin(parts, '/', '', { registrationId })
    const location = `/login?error=provider&id=${provider}&fault=settings`
    expect(arrival).toMatchObject({ location, cookies: [{ maxAge: 0 }] })
    expect(parts.users).toEqual([])
    expect(parts.log.of('OAuth2 login refused')).toMatchObject([{ provider, reason, check: 'registration' }])
  })

  it('is refused without the cookie of its state, before any request to the provider', async () => {
    const { login, log, answered } = setUp()
    const call = {
      registrationId: 'google',
      query: 'code=c&state=0x',
      cookies: new Map(),
      sessionId: undefined,
      address: '',
    }
    expect(await login.finish(call)).toEqual({ location: '/login?error=provider&id=google&fault=person', cookies: [] })
    expect(answered).toEqual([])
    expect(log.of('OAuth2 login refused')).toMatchObject([
      { provider: 'google', reason: 'transaction-missing', check: 'transaction' },
    ])
  })

  it('throws an internal error, which becomes the 500', async () => {
    const parts = setUp({ attributes: () => Promise.reject(new TypeError('a bug')) })
    await expect(wholeLogin(parts)).rejects.toThrow('a bug')
  })

  it('is not available with a provider without a client', async () => {
    const { login } = setUp()
    const call = { returnTo: undefined, cookies: new Map() }
    for (const registrationId of ['github', undefined, 'unheard-of'])
      await expect(login.start({ ...call, registrationId })).rejects.toMatchObject({ code: 'ENDPOINT_NOT_FOUND' })
  })
})

/** A provider that refuses the nonce, with whole values. */
const badNonce = () =>
  Promise.reject(
    new LoginRefused('answer-rejected', {
      code: 'OAUTH_X',
      refused: { check: 'nonce', expected: 'expected-nonce-0123456789', got: 'the-other-nonce-0123456789' },
    }),
  )

describe('the lab, which shows the reason of a refused login', () => {
  it('is for the local stage: on other stages the parameter changes nothing', async () => {
    const plain = await wholeLogin(setUp({ attributes: badNonce }), '/wanted')
    const asked = await wholeLogin(setUp({ attributes: badNonce }), '/wanted', '&lab=old-nonce')
    expect(asked.location).toBe(plain.location)
    expect(asked.cookies.map(({ name }) => name.slice(0, 10))).toEqual(['oauth2_tx_'])
  })

  it.each(['', '&lab=', '&lab=a&lab=b', `&lab=${'a'.repeat(33)}`])(
    'leaves the steps to the console, and the browser at the login page, without its parameter: %j',
    async (query) => {
      const arrival = await wholeLogin(setUp({ attributes: badNonce, showsRefusals: true }), '/wanted', query)
      expect(arrival.location).toBe('/login?error=provider&id=google&fault=provider&returnTo=%2Fwanted')
      const login = unpackedLogin(arrival.cookies[1]?.value)
      expect(login).toMatchObject({
        lab: '',
        change: 'the provider has to put the nonce of this login into the ID token',
      })
    },
  )

  it('changes nothing about a login that succeeds', async () => {
    const arrival = await wholeLogin(setUp({ showsRefusals: true }), '/wanted', '&lab=old-nonce')
    expect(arrival).toMatchObject({ location: '/wanted', started: { id: 'new' } })
    expect(arrival.cookies).toHaveLength(1)
  })

  it('receives the steps up to the check that refused, in a cookie for its page only', async () => {
    const parts = setUp({ attributes: badNonce, showsRefusals: true })
    const { location, cookies, started } = await wholeLogin(parts, '/', '&lab=old-nonce')
    expect([location, started]).toEqual(['/console/oauth?attack=old-nonce', undefined])
    expect(cookies[1]).toMatchObject({ name: 'oauth2_refused', path: '/console/oauth', maxAge: 600, isReadable: true })
    const login = unpackedLogin(cookies[1]?.value)
    expect(login).toMatchObject({
      lab: 'old-nonce',
      provider: 'google',
      at: '2026-01-02T03:04:05.000Z',
      reason: 'answer-rejected',
      refused: { check: 'nonce', expected: 'expe…', got: 'the-…' },
    })
    expect(login.steps.map(({ name }) => name)).toEqual(['authorization', 'callback'])
    expect(parts.users).toEqual([])
  })

  it('receives no code, no whole state and no secret', async () => {
    const parts = setUp({ attributes: badNonce, showsRefusals: true })
    const { cookies } = await wholeLogin(parts, '/', '&lab=old-nonce')
    const text = JSON.stringify(unpackedLogin(cookies[1]?.value))
    const { expected } = parts.answered[0] ?? {}
    for (const secret of ['secret-code', expected?.state, expected?.nonce, expected?.codeVerifier])
      expect(text).not.toContain(secret?.slice(0, 8))
  })

  it('receives the state that differs, although no login belongs to it', async () => {
    const changed = (state: string) => `${state.slice(0, 1)}${'x'.repeat(43)}`
    const back = { registrationId: 'google', changed }
    const arrival = await wholeLogin(setUp({ showsRefusals: true }), '/', '&lab=foreign-state', back)
    const { refused, steps } = unpackedLogin(arrival.cookies[0]?.value)
    expect(refused).toMatchObject({ check: 'state', got: expect.stringMatching(/^\dxxx…$/) })
    expect(steps).toMatchObject([{ name: 'callback', checks: [{ name: 'transaction', result: 'PASSED' }] }])
  })

  it('receives no steps if they do not fit into a cookie', () => {
    const noise = () => createHash('sha512').update(`${Math.random()}`).digest('base64')
    const sent = Array.from({ length: 60 }, () => ({ name: 'x', value: noise() }))
    const step = { name: 'token', method: 'POST', url: 'https://idp.example', sent, checks: [] } as const
    const login = { lab: 'x', provider: 'google', at: '', reason: 'answer-rejected', change: '' }
    const { value = '' } = showRefused(login, { stepsUntil: () => [step] }, undefined).cookie
    expect(value.length).toBeLessThan(4000)
    expect(unpackedLogin(value)).toEqual({ ...login, steps: [] })
  })
})
