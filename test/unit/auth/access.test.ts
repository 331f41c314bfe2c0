import { describe, expect, it } from 'vitest'
import {
  type AccessDecision,
  type AccessRule,
  accessRuleOf,
  decide,
  isGuarded,
  type Permits,
} from '../../../lib/auth/access.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Role } from '../../../lib/users/role.ts'

function holding(...roles: readonly Role[]): Principal {
  return { username: 'alice', roles, authType: 'JWT', principalType: 'JwtUser' }
}

const DELETE = { name: 'DELETE', on: 'User' }

const onlyAdmins: Permits = (held, { name, on }) => held.includes('ROLE_ADMIN') && name === 'DELETE' && on === 'User'

describe('auth-1: the access decision', () => {
  it.each<[string, Principal | undefined, AccessRule, AccessDecision]>([
    ['step 1: request is not authenticated', undefined, { role: 'ROLE_USER' }, { step: 1, verdict: 'unauthenticated' }],
    ['step 1 even if nothing is required', undefined, {}, { step: 1, verdict: 'unauthenticated' }],
    ['step 2: no role is required', holding('ROLE_USER'), {}, { step: 2, verdict: 'granted' }],
    [
      'step 3: a role is required and the user lacks it',
      holding('ROLE_USER'),
      { role: 'ROLE_ADMIN', permission: DELETE },
      { step: 3, verdict: 'role-missing' },
    ],
    [
      'step 4 for a user requirement that an admin satisfies',
      holding('ROLE_ADMIN'),
      { role: 'ROLE_USER' },
      { step: 4, verdict: 'granted' },
    ],
    [
      "step 5: a permission is required and the user's role lacks it",
      holding('ROLE_ADMIN'),
      { role: 'ROLE_ADMIN', permission: { name: 'FLY', on: 'User' } },
      { step: 5, verdict: 'permission-missing' },
    ],
    [
      'step 5 where a permission but no role is required',
      holding('ROLE_USER'),
      { permission: DELETE },
      { step: 5, verdict: 'permission-missing' },
    ],
    [
      'step 5 for the permission on another type of resource',
      holding('ROLE_ADMIN'),
      { role: 'ROLE_ADMIN', permission: { name: 'DELETE', on: 'Event' } },
      { step: 5, verdict: 'permission-missing' },
    ],
    [
      'step 6: all checks pass',
      holding('ROLE_ADMIN'),
      { role: 'ROLE_ADMIN', permission: DELETE },
      { step: 6, verdict: 'granted' },
    ],
  ])('%s', (_, principal, requirement, decision) => {
    expect(decide(principal, requirement, onlyAdmins)).toEqual(decision)
  })

  it('refuses a permission that no table grants', () => {
    expect(decide(holding('ROLE_ADMIN'), { permission: DELETE }).verdict).toBe('permission-missing')
  })
})

describe('the requirements of an endpoint', () => {
  const ROUTE = { method: 'GET', path: '/' } as const
  const ADMIN = { role: 'ROLE_ADMIN' } as const

  it.each([
    ['public', false],
    ['signature', false],
    ['authenticated', true],
    [ADMIN, true],
  ] as const)('with access %j the decision is %s', (access, isMade) => {
    expect(isGuarded({ ...ROUTE, access })).toBe(isMade)
  })

  it.each([
    ['authenticated', undefined, { isOpenToKeys: false }],
    [ADMIN, 'any', { ...ADMIN, isOpenToKeys: false }],
    [ADMIN, 'any-or-key', { ...ADMIN, isOpenToKeys: true }],
  ] as const)('access %j with credentials %s is the rule %j', (access, credentials, rule) => {
    expect(accessRuleOf({ ...ROUTE, access, ...(credentials && { credentials }) })).toEqual(rule)
  })
})
