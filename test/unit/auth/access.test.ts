import { describe, expect, it } from 'vitest'
import {
  type AccessDecision,
  type AccessRule,
  accessRuleOf,
  decide,
  isGuarded,
  type Permits,
  permitsOf,
} from '../../../lib/auth/access.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { permissionSettings } from '../../../lib/runtime/settings/permissions.ts'
import type { Role } from '../../../lib/users/role.ts'

function holding(...roles: readonly Role[]): Principal {
  return { username: 'alice', roles, authType: 'JWT', principalType: 'JwtUser' }
}

const [USER, ADMIN] = [holding('ROLE_USER'), holding('ROLE_ADMIN')]

const DELETE = { name: 'DELETE', on: 'User' }
const FLY = { name: 'FLY', on: 'User' }
const ON_EVENT = { name: 'DELETE', on: 'Event' }

const onlyAdmins: Permits = (held, { name, on }) => held.includes('ROLE_ADMIN') && name === 'DELETE' && on === 'User'

describe('auth-1: the access decision', () => {
  it.each<[string, Principal | undefined, AccessRule, AccessDecision['step'], AccessDecision['verdict']]>([
    ['the request is not authenticated', undefined, { role: 'ROLE_USER' }, 1, 'unauthenticated'],
    ['it is not, although nothing is required', undefined, {}, 1, 'unauthenticated'],
    ['no role is required', USER, {}, 2, 'granted'],
    ['a role is required, and missing', USER, { role: 'ROLE_ADMIN', permission: DELETE }, 3, 'role-missing'],
    ['a role is required that an admin satisfies', ADMIN, { role: 'ROLE_USER' }, 4, 'granted'],
    ['the role lacks the permission', ADMIN, { role: 'ROLE_ADMIN', permission: FLY }, 5, 'permission-missing'],
    ['no role is required, but a permission', USER, { permission: DELETE }, 5, 'permission-missing'],
    ['the permission is on another type of resource', ADMIN, { permission: ON_EVENT }, 5, 'permission-missing'],
    ['all checks pass', ADMIN, { role: 'ROLE_ADMIN', permission: DELETE }, 6, 'granted'],
  ])('if %s', (_, principal, requirement, step, verdict) => {
    expect(decide(principal, requirement, onlyAdmins)).toEqual({ step, verdict })
  })

  it('refuses a permission that no table grants', () => {
    expect(decide(holding('ROLE_ADMIN'), { permission: DELETE }).verdict).toBe('permission-missing')
  })
})

describe('the requirements of an endpoint', () => {
  const ROUTE = { method: 'GET', path: '/' } as const
  const OF_ADMINS = { role: 'ROLE_ADMIN' } as const

  it.each([
    ['public', false],
    ['signature', false],
    ['authenticated', true],
    [OF_ADMINS, true],
  ] as const)('with access %j the decision is %s', (access, isMade) => {
    expect(isGuarded({ ...ROUTE, access })).toBe(isMade)
  })

  it.each([
    ['authenticated', undefined, { isOpenToKeys: false }],
    [OF_ADMINS, 'any', { ...OF_ADMINS, isOpenToKeys: false }],
    [OF_ADMINS, 'any-or-key', { ...OF_ADMINS, isOpenToKeys: true }],
  ] as const)('access %j with credentials %s is the rule %j', (access, credentials, rule) => {
    expect(accessRuleOf({ ...ROUTE, access, ...(credentials && { credentials }) })).toEqual(rule)
  })
})

const permits = permitsOf(loadConfig(permissionSettings, [], {}).ROLE_PERMISSIONS)

describe('role → permissions', () => {
  it.each<[readonly Role[], string, string, boolean]>([
    [['ROLE_ADMIN'], 'CREATE', 'User', true],
    [['ROLE_ADMIN'], 'DELETE', 'User', true],
    [['ROLE_USER'], 'READ', 'User', true],
    [['ROLE_USER'], 'CREATE', 'User', false],
    [['ROLE_USER'], 'DELETE', 'User', false],
    [['ROLE_USER', 'ROLE_ADMIN'], 'DELETE', 'User', true],
    [[], 'READ', 'User', false],
    [['ROLE_ADMIN'], 'DELETE', 'Event', false],
  ])('by default %j may %s %s: %s', (held, name, on, answer) => {
    expect(permits(held, { name, on })).toBe(answer)
  })

  it('an empty table grants nothing', () => {
    expect(permitsOf({})(['ROLE_ADMIN', 'ROLE_USER'], { name: 'DELETE', on: 'User' })).toBe(false)
  })

  it('the table decides, not the role', () => {
    const turned = permitsOf({ ROLE_USER: { User: ['DELETE'] }, ROLE_ADMIN: {} })
    expect(turned(['ROLE_USER'], { name: 'DELETE', on: 'User' })).toBe(true)
    expect(turned(['ROLE_ADMIN'], { name: 'DELETE', on: 'User' })).toBe(false)
  })
})
