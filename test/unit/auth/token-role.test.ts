import { describe, expect, it } from 'vitest'
import { tokenRole } from '../../../lib/auth/token-role.ts'
import type { Role } from '../../../lib/users/role.ts'

describe('the role of a token', () => {
  it.each<[readonly Role[], Role]>([
    [['ROLE_USER'], 'ROLE_USER'],
    [['ROLE_ADMIN'], 'ROLE_ADMIN'],
    [['ROLE_USER', 'ROLE_ADMIN'], 'ROLE_ADMIN'],
  ])('of a user with %j is %s', (held, role) => {
    expect(tokenRole(held)).toBe(role)
  })

  it('does not exist for a user without a role, who is refused like a wrong password', () => {
    expect(() => tokenRole([])).toThrow(
      expect.objectContaining({
        code: 'BAD_CREDENTIALS',
        message: 'Invalid username or password',
        details: { authType: 'Login', reason: 'Bad credentials' },
      }),
    )
  })
})
