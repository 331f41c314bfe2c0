import { describe, expect, it } from 'vitest'
import { enabledUsers, userList } from '../../../lib/auth/directory.ts'
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
  return userList('hello', principal, async (limit) => (await users.page(limit)).users)
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

  it('shows only themselves to a user', async () => {
    const bob = { username: 'bob', roles: ['ROLE_USER'], enabled: false }
    expect((await asked('BOB', 'ROLE_USER')).users).toEqual([bob])
    expect((await asked('bo', 'ROLE_USER')).users).toEqual([])
  })

  it('B17 never shows a secret', async () => {
    expect(JSON.stringify(await asked('Alice', 'ROLE_ADMIN'))).not.toMatch(/s3cret|"id"/)
  })

  it('requests 1,000 at most', async () => {
    const limits: number[] = []
    await userList(
      '',
      { username: 'a', roles: [], authType: 'LDAP', principalType: 'DirectoryUser' },
      async (limit) => {
        limits.push(limit)
        return []
      },
    )
    expect(limits).toEqual([1000])
  })

  it('of a directory shows every entry as enabled', async () => {
    const directory = {
      check: async () => undefined,
      find: async () => undefined,
      findById: async () => undefined,
      list: async (limit: number) => [{ username: `limit-${limit}`, roles: ['ROLE_USER'] as const }],
    }
    expect(await enabledUsers(directory, 7)).toEqual([{ username: 'limit-7', roles: ['ROLE_USER'], enabled: true }])
  })
})
