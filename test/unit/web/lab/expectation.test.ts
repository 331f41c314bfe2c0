import { describe, expect, it } from 'vitest'
import { isInProfile, PROFILES, type Profile } from '../../../../lib/auth/profile.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import type { Role } from '../../../../lib/users/role.ts'
import { AUTH_LABELS, type AuthMethod, authMethodsOf, isAccepted } from '../../../../web/callers.ts'
import { expectationOf } from '../../../../web/lab/expectation.ts'

const PERMISSIONS = { ROLE_ADMIN: { User: ['CREATE', 'DELETE'] } }
const WAYS = Object.keys(AUTH_LABELS) as AuthMethod[]
const NAMES = Object.keys(PROFILES) as Profile[]
const GRANTED = 299

const rulesOf = (profile: Profile) => ({ profile, permissions: PERMISSIONS })

function expected(profile: Profile, route: Route, auth: AuthMethod, ...roles: readonly Role[]): number {
  return expectationOf({ route, auth, roles }, GRANTED, rulesOf(profile)).status
}

/** The credentials of a user that each endpoint accepts (http-3, auth-12). */
describe.each<[Profile, any: string, jdbc: string, ldap: string, oauth2: string]>([
  ['default', 'bearer database directory session', 'database', 'directory', 'session'],
  ['jwt', 'bearer session', '', '', ''],
  ['jdbc', 'database session', 'database', '', ''],
  ['ldap', 'directory session', '', 'directory', ''],
  ['oauth2', 'session', '', '', 'session'],
])('in profile %s', (profile, ...taken) => {
  it.each([
    ['authInfo', taken[0]],
    ['jdbcUsers', taken[1]],
    ['ldapUsers', taken[2]],
    ['oauth2Profile', taken[3]],
  ] as const)('%s accepts: %s', (name, authMethods) => {
    const route: Route = ROUTES[name]
    const refused = isInProfile(route, profile) ? 401 : 404
    const statuses = WAYS.map((auth) => [auth, expected(profile, route, auth, 'ROLE_USER')])
    expect(statuses).toEqual(WAYS.map((auth) => [auth, authMethods.split(' ').includes(auth) ? GRANTED : refused]))
  })

  it('every caller gets a public resource', () => {
    for (const auth of WAYS) expect(expected(profile, ROUTES.publicHello, auth)).toBe(GRANTED)
  })
})

describe('a known caller', () => {
  it.each([
    ['adminSecure', ['ROLE_ADMIN'], GRANTED],
    ['adminSecure', ['ROLE_USER'], 403],
    ['usersCreate', ['ROLE_ADMIN'], GRANTED],
    ['usersUpdate', ['ROLE_ADMIN'], 403],
  ] as const)('at %s with %j gets %d', (name, roles, status) => {
    expect(expected('default', ROUTES[name], 'session', ...roles)).toBe(status)
  })

  it('is refused in the step that causes the status', () => {
    const refusedIn = (name: keyof typeof ROUTES, auth: AuthMethod, ...roles: readonly Role[]) => {
      const { steps } = expectationOf({ route: ROUTES[name], auth, roles }, GRANTED, rulesOf('jdbc'))
      return steps.map(({ title, result }) => `${title} ${result}`)
    }
    expect(refusedIn('adminSecure', 'bearer')).toEqual([
      'Credentials refused',
      'Role unreached',
      'Permission unreached',
      'Input unreached',
    ])
    expect(refusedIn('usersUpdate', 'session', 'ROLE_ADMIN')).toEqual([
      'CSRF token passed',
      'Credentials passed',
      'Role passed',
      'Permission refused',
      'Input unreached',
    ])
    expect(refusedIn('publicHello', 'none')).toEqual(['Access passed', 'Input passed'])
    expect(refusedIn('ldapUsers', 'directory')).toEqual(['Endpoint refused'])
  })

  it.each([400, 404])('with access and without valid input, %d is expected in the last step', (granted) => {
    const call = { route: ROUTES.usersCreate, auth: 'session', roles: ['ROLE_ADMIN'] } as const
    const { status, steps } = expectationOf(call, granted, rulesOf('default'))
    expect([status, steps.at(-1)?.result]).toEqual([granted, 'refused'])
  })
})

it.each(NAMES)('an endpoint of another profile than %s does not exist there', (profile) => {
  for (const route of Object.values<Route>(ROUTES)) {
    const isAbsent = profile !== 'default' && route.profile !== undefined && route.profile !== profile
    expect(expected(profile, route, 'none') === 404, route.path).toBe(isAbsent)
  }
})

describe('the credentials in the lab', () => {
  it.each(NAMES)('in profile %s contain no name that is a wrong password there', (profile) => {
    for (const auth of authMethodsOf(PROFILES[profile])) {
      const isPassword = auth === 'database' || auth === 'directory'
      if (isPassword && PROFILES[profile].basic) expect(isAccepted(auth, PROFILES[profile])).toBe(true)
    }
  })

  it('are all kinds if all are accepted', () => {
    expect(authMethodsOf(PROFILES.default)).toEqual(['none', 'bearer', 'database', 'directory', 'session'])
    expect(authMethodsOf(PROFILES.jdbc)).toEqual(['none', 'bearer', 'database', 'session'])
  })
})
