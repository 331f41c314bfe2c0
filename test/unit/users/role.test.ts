import { describe, expect, it } from 'vitest'
import { highestRole, isRole, type Role, satisfies } from '../../../lib/users/role.ts'

describe('the role hierarchy ADMIN > USER', () => {
  it.each<[readonly Role[], Role, boolean]>([
    [['ROLE_ADMIN'], 'ROLE_USER', true],
    [['ROLE_USER'], 'ROLE_USER', true],
    [['ROLE_USER'], 'ROLE_ADMIN', false],
    [['ROLE_USER', 'ROLE_ADMIN'], 'ROLE_ADMIN', true],
    [[], 'ROLE_USER', false],
  ])('%j satisfies %s: %s', (held, wanted, answer) => {
    expect(satisfies(held, wanted)).toBe(answer)
  })

  it.each<[readonly Role[], Role | undefined]>([
    [['ROLE_USER', 'ROLE_ADMIN'], 'ROLE_ADMIN'],
    [['ROLE_USER'], 'ROLE_USER'],
    [[], undefined],
  ])('the highest of %j is %s', (held, role) => {
    expect(highestRole(held)).toBe(role)
  })
})

describe('a role', () => {
  it.each(['ROLE_ADMIN', 'ROLE_USER'])('is %s', (role) => {
    expect(isRole(role)).toBe(true)
  })

  it.each([['role_admin'], ['constructor'], [['ROLE_ADMIN']], [null]])('is not %j', (value) => {
    expect(isRole(value)).toBe(false)
  })
})
