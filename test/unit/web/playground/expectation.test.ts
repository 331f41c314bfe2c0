import { describe, expect, it } from 'vitest'
import { decide } from '../../../../lib/auth/access.ts'
import { permitsOf } from '../../../../lib/auth/permissions.ts'
import { PROFILES, type Profile } from '../../../../lib/auth/profile.ts'
import { ROUTES } from '../../../../lib/endpoints/index.ts'
import type { Route } from '../../../../lib/endpoints/route.ts'
import type { Role } from '../../../../lib/users/role.ts'
import { isAccepted, WAY_LABELS, type Way, waysOf } from '../../../../web/callers/ways.ts'
import { expectedStatus } from '../../../../web/playground/expectation.ts'

const PERMISSIONS = { ROLE_ADMIN: { User: ['CREATE', 'DELETE'] } }
const WAYS = Object.keys(WAY_LABELS) as Way[]
const NAMES = Object.keys(PROFILES) as Profile[]
const GRANTED = 299

function expected(profile: Profile, route: Route, way: Way, ...roles: readonly Role[]): number {
  return expectedStatus({ route, way, roles }, GRANTED, { accepts: PROFILES[profile], permissions: PERMISSIONS })
}

/** Decisions, "what a profile selects" and "which credentials where": what each endpoint takes of a user. */
describe.each<[Profile, any: string, jdbc: string, ldap: string, oauth2: string]>([
  ['default', 'bearer database directory session', 'database', 'directory', 'session'],
  ['jwt', 'bearer session', '', '', 'session'],
  ['jdbc', 'database session', 'database', '', 'session'],
  ['ldap', 'directory session', '', 'directory', 'session'],
  ['oauth2', 'session', '', '', 'session'],
])('in profile %s', (profile, ...taken) => {
  it.each([
    ['userSecure', taken[0]],
    ['authInfo', taken[0]],
    ['jdbcUsers', taken[1]],
    ['ldapUsers', taken[2]],
    ['oauth2Profile', taken[3]],
    ['oauth2Steps', taken[3]],
  ] as const)('%s takes: %s', (name, ways) => {
    const statuses = WAYS.map((way) => [way, expected(profile, ROUTES[name], way, 'ROLE_USER')])
    expect(statuses).toEqual(WAYS.map((way) => [way, ways.split(' ').includes(way) ? GRANTED : 401]))
  })

  it('everybody gets what is public', () => {
    for (const way of WAYS) expect(expected(profile, ROUTES.publicHello, way)).toBe(GRANTED)
  })
})

describe('whoever is known', () => {
  const HOLDINGS: readonly (readonly Role[])[] = [[], ['ROLE_USER'], ['ROLE_ADMIN'], ['ROLE_USER', 'ROLE_ADMIN']]
  const STATUSES = { unauthenticated: 401, 'role-missing': 403, 'permission-missing': 403, granted: GRANTED }

  /** The decision as the service makes it. */
  function decided({ access }: Route, roles: readonly Role[]): number {
    const principal = { username: 'x', roles, authType: 'FORM', principalType: 'DatabaseUser' } as const
    const { verdict } = decide(principal, typeof access === 'object' ? access : {}, permitsOf(PERMISSIONS))
    return STATUSES[verdict]
  }

  it.each(Object.entries<Route>(ROUTES))('gets into %s, or not, as the service decides', (_, route) => {
    const way = ({ database: 'database', directory: 'directory' } as const)[String(route.credentials)] ?? 'session'
    for (const roles of HOLDINGS) {
      if (route.access !== 'signature') expect(expected('default', route, way, ...roles)).toBe(decided(route, roles))
    }
  })

  it('needs the permission, too, that the role may have been denied', () => {
    const attempt = { route: ROUTES.usersCreate, way: 'session', roles: ['ROLE_ADMIN'] } as const
    expect(expectedStatus(attempt, GRANTED, { accepts: PROFILES.jwt, permissions: { ROLE_ADMIN: {} } })).toBe(403)
  })
})

describe('the ways that are tried', () => {
  it.each(NAMES)('in profile %s hold no name that is a wrong password there', (profile) => {
    for (const way of waysOf(PROFILES[profile])) {
      const isPassword = way === 'database' || way === 'directory'
      if (isPassword && PROFILES[profile].basic) expect(isAccepted(way, PROFILES[profile])).toBe(true)
    }
  })

  it('are all of them where everything is taken', () => {
    expect(waysOf(PROFILES.default)).toEqual(['none', 'bearer', 'database', 'directory', 'session'])
    expect(waysOf(PROFILES.jdbc)).toEqual(['none', 'bearer', 'database', 'session'])
  })
})
