import { describe, expect, it } from 'vitest'
import { userList } from '../../../lib/auth/directory.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Role } from '../../../lib/users/role.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const SECRET = '$argon2id$s3cret'
const users = new MemoryUsers(
  { id: '1', username: 'Alice', passwordHash: SECRET, roles: ['ROLE_ADMIN'], enabled: true, createdAt: START },
  { id: '2', username: 'bob', passwordHash: SECRET, roles: ['ROLE_USER'], enabled: false, createdAt: START },
)

function asked(username: string, ...roles: readonly Role[]) {
  const principal: Principal = { username, roles, authType: 'JDBC', principalType: 'DatabaseUser' }
  return userList('hello', principal, async (limit) => ({ users: (await users.page(limit)).users, isWhole: true }))
}

describe('the list of users', () => {
  it('shows every user to an admin', async () => {
    expect(await asked('Alice', 'ROLE_ADMIN')).toEqual({
      message: 'hello',
      user: 'Alice',
      users: [
        { username: 'Alice', roles: ['ROLE_ADMIN'], enabled: true },
        { username: 'bob', roles: ['ROLE_USER'], enabled: false },
      ],
    })
  })

  it('shows only themselves to a user, who need not be among the first thousand', async () => {
    const bob = { username: 'bob', roles: ['ROLE_USER'], enabled: true }
    expect((await asked('bob', 'ROLE_USER')).users).toEqual([bob])
  })

  it('B17 never shows a secret', async () => {
    expect(JSON.stringify(await asked('Alice', 'ROLE_ADMIN'))).not.toMatch(/s3cret|"id"/)
  })

  it('requests 1,000 at most, and says when there are more', async () => {
    const limits: number[] = []
    const admin: Principal = { username: 'a', roles: ['ROLE_ADMIN'], authType: 'LDAP', principalType: 'DirectoryUser' }
    const list = async (limit: number) => ({ users: [], isWhole: limits.push(limit) === 0 })
    expect(await userList('', admin, list)).toEqual({ message: '', user: 'a', users: [], truncated: true })
    expect(limits).toEqual([1000])
  })
})
