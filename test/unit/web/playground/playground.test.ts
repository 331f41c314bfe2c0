import { expect, it, vi } from 'vitest'
import type { ConsoleFacts } from '../../../../lib/contract/console.ts'
import { ROUTES } from '../../../../lib/endpoints/index.ts'
import type { Route } from '../../../../lib/endpoints/route.ts'
import type { Call } from '../../../../web/call.ts'
import type { LogIn } from '../../../../web/jwt/log-in.ts'
import { cellKeyOf, createPlayground, isAsExpected, type TryOutcome } from '../../../../web/playground/playground.ts'

const FACTS: ConsoleFacts = {
  user: { username: 'Alice', roles: ['ROLE_ADMIN'], authType: 'FORM', sessionExpiresAt: undefined },
  icons: '/assets/icons.svg',
  csrfToken: 'random.signature',
  stompUrl: null,
  profile: 'default',
  accepts: { bearer: true, basic: true, stores: ['database', 'directory'] },
  providers: ['google'],
  permissions: { ROLE_ADMIN: { User: ['CREATE', 'DELETE'] } },
  routes: ROUTES,
  demoUsers: [
    { username: 'ann', password: 'pässword', role: 'ROLE_ADMIN', store: 'jdbc' },
    { username: 'guest', password: 'guest-demo', role: null, store: 'ldap' },
  ],
  demoTokens: { expired: 'a.b.c', withoutRole: 'd.e.f' },
}

function playgroundOf(facts: ConsoleFacts = FACTS, status = 200) {
  const calls: Call[] = []
  const logIn = vi.fn(async (username: string): Promise<LogIn> => ({ token: `token-of-${username}` }))
  const sessionEnded = vi.fn()
  const playground = createPlayground(facts, {
    logIn,
    sessionEnded,
    exchange: async (call) => {
      calls.push(call)
      return { call, status, headers: [], text: '', milliseconds: 1 }
    },
  })
  return { playground, calls, logIn, sessionEnded }
}

const cell = (name: keyof typeof ROUTES, way: 'none' | 'bearer' | 'database' | 'session') => ({
  name,
  route: ROUTES[name] as Route,
  way,
})

it('has a row for every endpoint of the API, and none for pages, logins and webhooks', () => {
  const { rows } = playgroundOf().playground
  const paths = Object.values(ROUTES).map(({ path }) => path)
  expect(rows.map(([, { path }]) => path)).toEqual(paths.filter((path) => path.startsWith('/api/')))
})

it('calls without a session carry no cookie, and say who calls', async () => {
  const { playground, calls } = playgroundOf()
  await playground.run(cell('authInfo', 'none'))
  await playground.run(cell('authInfo', 'bearer'))
  await playground.run(cell('authInfo', 'database'))
  expect(calls.map(({ withSession, headers }) => [withSession, headers['authorization']])).toEqual([
    [false, undefined],
    [false, 'Bearer token-of-ann'],
    [false, 'Basic YW5uOnDDpHNzd29yZA=='],
  ])
})

it('a session brings the token of the page where something may change', async () => {
  const { playground, calls } = playgroundOf()
  await playground.run(cell('authInfo', 'session'))
  await playground.run(cell('usersDelete', 'session'))
  expect(calls).toMatchObject([
    { withSession: true, path: '/api/auth/info' },
    { withSession: true, path: '/api/users/playground', headers: { 'x-xsrf-token': 'random.signature' } },
  ])
  expect(calls[0]?.headers).not.toHaveProperty('x-xsrf-token')
})

it('tries everything once with one token, and keeps what came of it', async () => {
  const { playground, calls, logIn } = playgroundOf()
  const total = playground.rows.length * playground.ways.length
  const running = playground.runAll()
  expect(playground.progress.value).toEqual({ done: 0, total })
  await running
  expect([calls.length, logIn.mock.calls.length, playground.progress.value]).toEqual([total, 1, undefined])
  expect(playground.outcomes.value.get(cellKeyOf(cell('adminSecure', 'none')))).toMatchObject({ expected: 401 })
})

it('leaves out whom nobody was found for', async () => {
  const { playground, calls } = playgroundOf({ ...FACTS, user: null, demoUsers: [] })
  await playground.runAll()
  expect(calls).toHaveLength(playground.rows.length)
  expect(new Set(calls.map(({ headers }) => headers['authorization']))).toEqual(new Set([undefined]))
})

it.each([
  ['FORM', 404],
  ['OAuth2', 200],
])('a session that began by %s earns %d for the steps of its login', async (authType, expected) => {
  const user = { username: 'Alice', roles: ['ROLE_USER'], authType, sessionExpiresAt: undefined }
  const { playground } = playgroundOf({ ...FACTS, user })
  expect(await playground.run(cell('oauth2Steps', 'session'))).toMatchObject({ expected })
})

it('is not satisfied with another status', async () => {
  const { playground } = playgroundOf(FACTS, 500)
  expect(isAsExpected(await playground.run(cell('publicHello', 'none')))).toBe(false)
})

it('says what kept it from calling, and tries a refused login again', async () => {
  const { playground, logIn } = playgroundOf()
  logIn.mockResolvedValueOnce({ refusal: 'Invalid username or password (401).' })
  const refused: TryOutcome = { kind: 'failed', reason: 'No token: Invalid username or password (401).' }
  expect(await playground.run(cell('authInfo', 'bearer'))).toEqual(refused)
  expect(isAsExpected(refused)).toBe(false)
  expect(await playground.run(cell('authInfo', 'bearer'))).toMatchObject({ kind: 'answered' })
})

it.each([
  ['authInfo', 'session', 401, 1],
  ['authInfo', 'bearer', 401, 0],
  ['jdbcUsers', 'session', 401, 0],
  ['adminSecure', 'session', 403, 0],
] as const)('%s by %s answering %d: the session has ended %d times', async (name, way, status, times) => {
  const { playground, sessionEnded } = playgroundOf(FACTS, status)
  await playground.run(cell(name, way))
  expect(sessionEnded).toHaveBeenCalledTimes(times)
})

it('says that nobody answers', async () => {
  const playground = createPlayground(FACTS, {
    logIn: async () => ({ token: 'x' }),
    sessionEnded: () => {},
    exchange: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  expect(await playground.run(cell('authInfo', 'none'))).toEqual({ kind: 'failed', reason: 'Nobody answers.' })
})
