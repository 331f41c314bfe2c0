import { expect, it, vi } from 'vitest'
import type { ConsoleFacts } from '../../../../lib/contract/console.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import type { Call } from '../../../../web/call.ts'
import { ATTACKS } from '../../../../web/lab/attacks.ts'
import { cellKeyOf, createLab, isAsExpected, type TryOutcome } from '../../../../web/lab/lab.ts'
import type { LogIn } from '../../../../web/token/calls.ts'

const FACTS = {
  user: { username: 'Alice', roles: ['ROLE_ADMIN'], authType: 'FORM', sessionExpiresAt: undefined },
  csrfToken: 'random.signature',
  profile: 'default',
  accepts: { bearer: true, basic: true, stores: ['database', 'directory'] },
  permissions: { ROLE_ADMIN: { User: ['CREATE', 'DELETE'] } },
  demoUsers: [
    { username: 'ann', password: 'pässword', role: 'ROLE_ADMIN', store: 'jdbc' },
    { username: 'guest', password: 'guest-demo', role: null, store: 'ldap' },
  ],
  demoTokens: { expired: 'a.b.c', notYetValid: 'd.e.f', withoutRole: 'g.h.i', unknownRole: 'j.k.l', revoked: 'm.n.o' },
} as unknown as ConsoleFacts

function labOf(facts: ConsoleFacts = FACTS, status = 200) {
  const calls: Call[] = []
  const logIn = vi.fn(async (username: string): Promise<LogIn> => ({ token: `token-of-${username}` }))
  const sessionEnded = vi.fn()
  const lab = createLab(facts, {
    logIn,
    sessionEnded,
    exchange: async (call) => {
      calls.push(call)
      return { call, status, headers: [], text: '', milliseconds: 1 }
    },
  })
  return { lab, calls, logIn, sessionEnded }
}

const cell = (name: keyof typeof ROUTES, auth: 'none' | 'bearer' | 'database' | 'session') => ({
  name,
  route: ROUTES[name] as Route,
  auth,
})

it('has a row for every endpoint of the API, and none for pages, logins and webhooks', () => {
  const { rows } = labOf().lab
  const paths = Object.values(ROUTES).map(({ path }) => path)
  expect(rows.map(([, { path }]) => path)).toEqual(paths.filter((path) => path.startsWith('/api/')))
})

it('calls without a session have no cookie, and contain the caller', async () => {
  const { lab, calls } = labOf()
  await lab.run(cell('authInfo', 'none'))
  await lab.run(cell('authInfo', 'bearer'))
  await lab.run(cell('authInfo', 'database'))
  expect(calls.map(({ withSession, headers }) => [withSession, headers['authorization']])).toEqual([
    [false, undefined],
    [false, 'Bearer token-of-ann'],
    [false, 'Basic YW5uOnDDpHNzd29yZA=='],
  ])
})

it('a session sends the token of the page with a change', async () => {
  const { lab, calls } = labOf()
  await lab.run(cell('authInfo', 'session'))
  await lab.run(cell('usersDelete', 'session'))
  expect(calls).toMatchObject([
    { withSession: true, path: '/api/auth/info' },
    { withSession: true, path: '/api/users/playground', headers: { 'x-xsrf-token': 'random.signature' } },
  ])
  expect(calls[0]?.headers).not.toHaveProperty('x-xsrf-token')
})

it('tries everything once with one token, and keeps the results', async () => {
  const { lab, calls, logIn } = labOf()
  const total = lab.rows.length * lab.authMethods.length
  const running = lab.runAll()
  expect(lab.progress.value).toEqual({ done: 0, total })
  await running
  expect([calls.length, logIn.mock.calls.length, lab.progress.value]).toEqual([total, 1, undefined])
  expect(lab.outcomes.value.get(cellKeyOf(cell('adminSecure', 'none')))).toMatchObject({ isDue: false })
})

it('omits callers who are unknown', async () => {
  const { lab, calls } = labOf({ ...FACTS, user: null, demoUsers: [] })
  await lab.runAll()
  expect(calls).toHaveLength(lab.rows.length)
  expect(new Set(calls.map(({ headers }) => headers['authorization']))).toEqual(new Set([undefined]))
})

it.each([
  ['FORM', 404],
  ['OAuth2', 200],
])('a session that began with %s gets %d for the steps of its login', async (authType, expected) => {
  const user = { username: 'Alice', roles: ['ROLE_USER'], authType, sessionExpiresAt: undefined }
  const { lab } = labOf({ ...FACTS, user })
  expect(lab.expected(cell('oauth2Steps', 'session')).status).toBe(expected)
})

it('reports another status', async () => {
  const { lab } = labOf(FACTS, 500)
  expect(isAsExpected(await lab.run(cell('publicHello', 'none')))).toBe(false)
})

it('shows what prevented a call, and tries a refused login again', async () => {
  const { lab, logIn } = labOf()
  logIn.mockResolvedValueOnce({ refusal: 'Invalid username or password (401).' })
  const refused: TryOutcome = { kind: 'failed', reason: 'No token: Invalid username or password (401).' }
  expect(await lab.run(cell('authInfo', 'bearer'))).toEqual(refused)
  expect(isAsExpected(refused)).toBe(false)
  expect(await lab.run(cell('authInfo', 'bearer'))).toMatchObject({ kind: 'answered' })
})

it.each([
  ['authInfo', 'session', 401, 1],
  ['authInfo', 'bearer', 401, 0],
  ['jdbcUsers', 'session', 401, 0],
  ['adminSecure', 'session', 403, 0],
] as const)('%s by %s answering %d: the session has ended %d times', async (name, auth, status, times) => {
  const { lab, sessionEnded } = labOf(FACTS, status)
  await lab.run(cell(name, auth))
  expect(sessionEnded).toHaveBeenCalledTimes(times)
})

it('reports that nothing answers', async () => {
  const lab = createLab(FACTS, {
    logIn: async () => ({ token: 'x' }),
    sessionEnded: () => {},
    exchange: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  expect(await lab.run(cell('authInfo', 'none'))).toEqual({ kind: 'failed', reason: 'The service does not answer.' })
})

it.each([
  ['session', { ...FACTS, user: null }, 'Log in first.'],
  ['database', { ...FACTS, demoUsers: [] }, 'No caller is chosen.'],
] as const)('credentials without a caller are not used: %s', async (auth, facts, reason) => {
  const { lab, calls } = labOf(facts)
  expect(await lab.run(cell('authInfo', auth))).toEqual({ kind: 'failed', reason })
  expect(calls).toEqual([])
})

it('expects of another profile what that profile accepts and provides', () => {
  const { lab } = labOf()
  const statuses = (name: keyof typeof ROUTES, auth: 'none' | 'bearer' | 'database') =>
    (['default', 'jwt', 'jdbc', 'ldap', 'oauth2'] as const).map(
      (profile) => lab.expected(cell(name, auth), profile).status,
    )
  expect(statuses('authInfo', 'bearer')).toEqual([200, 200, 401, 401, 401])
  expect(statuses('authInfo', 'database')).toEqual([200, 401, 200, 401, 401])
  expect(statuses('jdbcUsers', 'database')).toEqual([200, 404, 200, 404, 404])
  expect(statuses('authLogin', 'none')).toEqual([200, 200, 200, 401, 200])
})

it('an attack passes only if it is refused as documented', async () => {
  const { lab, calls } = labOf()
  const attack = ATTACKS.find(({ label }) => label === 'Expired') ?? expect.fail('no such attack')
  expect(isAsExpected(await lab.strike(attack))).toBe(false)
  expect(calls).toMatchObject([{ headers: { authorization: 'Bearer a.b.c' } }])
  expect(lab.outcomes.value.has('Expired')).toBe(true)
})

it('an attack on a token needs a token', async () => {
  const { lab, logIn, calls } = labOf()
  logIn.mockResolvedValueOnce({ refusal: 'no' })
  const attack = ATTACKS.find(({ label }) => label === 'alg none') ?? expect.fail('no such attack')
  expect(await lab.strike(attack)).toEqual({ kind: 'failed', reason: 'No token: no' })
  expect(calls).toEqual([])
})
