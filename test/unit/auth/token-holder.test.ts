import { describe, expect, it } from 'vitest'
import { tokenHolder } from '../../../lib/auth/token-holder.ts'
import type { Role } from '../../../lib/users/role.ts'
import { DATABASE_ACCOUNT } from '../../support/fakes/accounts.ts'

describe('the role of a token', () => {
  it.each<[readonly Role[], Role]>([
    [['ROLE_USER'], 'ROLE_USER'],
    [['ROLE_ADMIN'], 'ROLE_ADMIN'],
    [['ROLE_USER', 'ROLE_ADMIN'], 'ROLE_ADMIN'],
  ])('of a user with %j is %s', (roles, role) => {
    expect(tokenHolder({ ...DATABASE_ACCOUNT, roles })).toEqual({ username: 'Alice', uid: 'id-1', role })
  })

  it('does not exist for a user without a role', () => {
    expect(tokenHolder({ ...DATABASE_ACCOUNT, roles: [] })).toBeUndefined()
  })
})
