import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../lib/auth/claims.ts'
import type { Principal } from '../../../../lib/auth/principal.ts'
import type { Route, TrailRule } from '../../../../lib/contract/route.ts'
import { fail, invalid, unavailable } from '../../../../lib/errors.ts'
import { type ChangingContext, endpoint, type GuardedContext } from '../../../../lib/http/endpoint.ts'
import { noContent } from '../../../../lib/http/message.ts'
import { audit } from '../../../../lib/http/middleware/audit.ts'
import { NO_NETWORKS } from '../../../../lib/runtime/address.ts'
import { actsOn, type TrailRow } from '../../../../lib/trail/act.ts'
import type { Trail } from '../../../../lib/trail/trail.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { type Call, httpEvent, lambdaContext } from '../../../support/fakes/http.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { tokenHolder } from '../../../support/fakes/principals.ts'
import { FORM_USER } from '../../../support/fakes/sessions.ts'
import { recordingTrail, rowTakenAlong } from '../../../support/fakes/trail.ts'

const CHANGE = {
  method: 'POST',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'user.changed', target: 'user', names: ['role', 'enabled', 'count', 'sources', 'filter', 'absent'] },
} as const satisfies Route
const READING = { ...CHANGE, method: 'GET', audit: { action: 'payload.read', target: 'user' } } as const satisfies Route
const TESTING = {
  ...CHANGE,
  audit: { action: 'destination.tested', target: 'user', isAlone: true },
} as const satisfies Route

const INPUT = {
  role: 'ROLE_USER',
  enabled: false,
  count: 0,
  sources: ['a', 'b'],
  filter: { q: 'x' },
  password: 'secret',
}

const ADMIN: Principal = { ...tokenHolder('ROLE_ADMIN'), uid: 'id-1' }
const MACHINE = { ...tokenHolder('ROLE_ADMIN'), username: 'key:k', authType: 'API_KEY', key: { id: 'k' } } as const
const CALLERS: Readonly<Record<string, Principal>> = { admin: ADMIN, user: tokenHolder('ROLE_USER'), machine: MACHINE }

const BY_ADMIN = { headers: { authorization: 'Bearer admin' } }
const POST: Call = { method: 'POST', path: '/api/users/7', ...BY_ADMIN }
const GET: Call = { ...POST, method: 'GET' }
const BY_USER: Call = { ...POST, headers: { authorization: 'Bearer user' } }
const FOREIGN: Call = { ...POST, headers: { origin: 'https://evil.example' } }

function raise(error: unknown): never {
  throw error
}

/** The row of an action that was done. */
const ROW = {
  id: expect.any(String),
  at: START,
  endsAt: new Date(START.getTime() + 400 * 24 * 60 * 60_000),
  action: 'user.changed',
  outcome: 'done',
  actor: { uid: 'id-1', name: 'alice', authType: 'JWT' },
  target: { type: 'user', id: '7' },
  change: { role: 'ROLE_USER', enabled: false, count: 0, sources: ['a', 'b'] },
  from: '192.0.2.1',
  requestId: 'request-1',
}

function setUp(route: Route, work: () => unknown = () => undefined, read: () => unknown = () => INPUT) {
  const trail = recordingTrail()
  const app: GuardedContext & ChangingContext & { readonly trail: Trail } = {
    clock: fixedClock(),
    log: recordingLog(),
    baseUrl: new URL('https://gatehouse.example'),
    trustedOrigins: [],
    trustedProxies: NO_NETWORKS,
    profile: 'default',
    checks: {
      bearer: async (token) => CALLERS[token] ?? raise(refusal('MALFORMED', 'no token')),
      session: async () => ADMIN,
    },
    findSession: async () => ({ ...FORM_USER, key: 'k', createdAt: START, lastSeenAt: START }),
    trail,
  }
  const handler = endpoint(
    route,
    app,
    async () => read(),
    async () => {
      await work()
      return noContent()
    },
  )
  const call = async (given: Call, context = lambdaContext()) => (await handler(httpEvent(given), context)).statusCode
  return { trail, call }
}

/** A change of a store that takes rows along. */
function changing(route: Route = CHANGE) {
  const taken: (TrailRow | undefined)[] = []
  return { taken, ...setUp(route, () => taken.push(rowTakenAlong())) }
}

describe('A01 a change', () => {
  it('takes its row along: who, from where, what was changed, and the new values that its rule names', async () => {
    const { taken, trail, call } = changing()
    expect(await call(POST)).toBe(204)
    expect([taken, trail.rows]).toEqual([[ROW], []])
    expect(JSON.stringify(taken)).not.toMatch(/secret|filter|absent/)
  })

  it('that did not happen leaves no row', async () => {
    const { trail, call } = setUp(CHANGE)
    expect([await call(POST), trail.rows]).toEqual([204, []])
  })

  it('has the target and the values that its handler adds', async () => {
    const taken: (TrailRow | undefined)[] = []
    const { call } = setUp(CHANGE, () => {
      actsOn({ type: 'user', id: '7', name: 'bob' }, { enabled: true, more: 1 })
      taken.push(rowTakenAlong())
    })
    await call(POST)
    const change = { ...ROW.change, enabled: true, more: 1 }
    expect(taken).toEqual([{ ...ROW, target: { type: 'user', id: '7', name: 'bob' }, change }])
  })

  it('that happened before a failure has one row, the one of the change', async () => {
    const taken: (TrailRow | undefined)[] = []
    const { trail, call } = setUp(CHANGE, () => {
      taken.push(rowTakenAlong())
      throw unavailable(new Error('the queue is down'))
    })
    expect([await call(POST), taken, trail.rows]).toEqual([503, [ROW], []])
  })

  it('takes no row of another call along that runs beside it', async () => {
    const { taken, call } = changing()
    await Promise.all(['7', '8', '9'].map((id) => call({ ...POST, path: `/api/users/${id}` })))
    expect(taken.map((row) => row?.target?.id)).toEqual(['7', '8', '9'])
  })

  it('by a machine is recorded under the id of its key', async () => {
    const { taken, call } = changing()
    await call({ ...POST, headers: { authorization: 'Bearer machine' } })
    expect(taken).toMatchObject([{ actor: { name: 'key:k', authType: 'API_KEY', keyId: 'k' } }])
  })
})

it.each<[string, TrailRule['target'], string, string, TrailRow['target']]>([
  ['an event', 'event', '/{source}/{eventId}', '/a/b%2Fc', { type: 'event', id: 'a/b/c', name: 'b/c' }],
  ['a delivery', 'delivery', '/{a}/{b}/{c}', '/a/b/crm', { type: 'delivery', id: 'a/b/crm', name: 'crm' }],
  ['a user', 'user', '/{userId}', '/7', { type: 'user', id: '7' }],
  ['the account of the caller, if it names nothing', 'user', '', '', { type: 'user', id: 'id-1', name: 'alice' }],
  ['what the handler says, if the rule names no type', undefined, '/{name}', '/crm', undefined],
])('a path names %s', async (_, target, path, called, expected) => {
  const { taken, call } = changing({
    ...CHANGE,
    path: `/x${path}`,
    audit: { action: 'user.changed', target } as TrailRule,
  })
  expect(await call({ ...POST, path: `/x${called}` })).toBe(204)
  expect(taken[0]?.target).toEqual(expected)
})

const raising = (error: unknown) => () => raise(error)
const nothing = () => undefined

describe('an action of a known caller', () => {
  const [REFUSED, FAILED] = ['refused', 'failed'] as const

  it.each<[string, number, string, string, Call, () => unknown]>([
    ['whose role is missing', 403, REFUSED, 'ROLE_REQUIRED', BY_USER, nothing],
    ['on what is not there', 404, REFUSED, 'USER_NOT_FOUND', POST, raising(fail('USER_NOT_FOUND'))],
    ['that a bug aborts', 500, FAILED, 'UNEXPECTED', POST, raising(new TypeError('a bug'))],
  ])('%s leaves a row that says so: %i', async (_, status, outcome, error, given, work) => {
    const { trail, call } = setUp(CHANGE, work)
    expect(await call(given)).toBe(status)
    const row = { action: 'user.changed', outcome, error, target: ROW.target, from: ROW.from, requestId: ROW.requestId }
    expect(trail.rows).toMatchObject([row])
    expect(trail.rows[0]?.actor?.name).toBe('alice')
  })

  it('names what it was about to do, and so much as was known: no values where the role was missing', async () => {
    const { trail, call } = setUp(CHANGE, raising(fail('USER_NOT_FOUND')))
    await call(POST)
    await call(BY_USER)
    expect(trail.rows.map(({ change }) => change)).toEqual([ROW.change, undefined])
  })

  it.each<[string, number, Call, () => unknown, () => unknown]>([
    ['from a page of another site', 403, FOREIGN, nothing, nothing],
    ['without credentials', 401, { ...POST, headers: {} }, nothing, nothing],
    ['whose input is not valid', 400, POST, nothing, raising(invalid([]))],
    ['under another path', 404, { ...POST, path: '/api/other' }, nothing, nothing],
  ])('%s leaves no row: %i', async (_, status, given, work, read) => {
    const { trail, call } = setUp(CHANGE, work, read)
    expect([await call(given), trail.rows]).toEqual([status, []])
  })

  it.each([
    ['is down', (trail: ReturnType<typeof recordingTrail>) => Object.assign(trail, { isDown: true })],
    [
      'never answers',
      (trail: ReturnType<typeof recordingTrail>) => Object.assign(trail, { ended: () => new Promise(() => {}) }),
    ],
  ])('is answered as ever while the trail %s', async (_, disturb) => {
    const { trail, call } = setUp(CHANGE, raising(fail('USER_NOT_FOUND')))
    disturb(trail)
    expect(await call(POST, lambdaContext(500))).toBe(404)
  })
})

describe.each([
  ['A01 a reading', READING, GET, 'payload.read'],
  ['A01 a test, which changes nothing,', TESTING, POST, 'destination.tested'],
] as const)('%s', (_, route, given, action) => {
  it('stores its row when it is done, and before it is answered', async () => {
    const before: number[] = []
    const { trail, call } = setUp(route, () => before.push(trail.rows.length))
    expect(await call(given)).toBe(204)
    const { change: __, ...row } = ROW
    expect([before, trail.rows]).toEqual([[0], [{ ...row, action }]])
  })

  it('A11 is 503 if its row cannot be stored', async () => {
    const { trail, call } = setUp(route)
    trail.isDown = true
    expect([await call(given), trail.rows]).toEqual([503, []])
  })

  it('of what is not there is refused, and so is its row', async () => {
    const { trail, call } = setUp(route, raising(fail('EVENT_NOT_FOUND')))
    expect(await call(given)).toBe(404)
    expect(trail.rows).toMatchObject([{ action, outcome: 'refused', error: 'EVENT_NOT_FOUND' }])
  })
})

it('a route without a rule asks for no trail, and one with a rule needs it', async () => {
  const { audit: _, ...silent } = CHANGE
  const { taken, trail, call } = changing(silent)
  expect([await call(POST), taken, trail.acts]).toEqual([204, [undefined], []])
  expect(() => audit(CHANGE.audit, CHANGE, { trustedProxies: NO_NETWORKS })).toThrow('has no trail')
})
