import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../../lib/auth/password.ts'
import { signIn } from '../../../lib/auth/sign-in.ts'
import type { User } from '../../../lib/users/user.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const PASSWORD = 'correct horse'
const OUTDATED = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

let passwordHash = ''

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})

function alice(changes: Partial<User> = {}): User {
  return { username: 'Alice', passwordHash, roles: ['ROLE_USER'], enabled: true, ...changes }
}

describe('signIn', () => {
  it('gives the user as stored and the role from the user store', async () => {
    expect(await signIn(new MemoryUsers(alice()), 'Alice', PASSWORD)).toEqual({ username: 'Alice', role: 'ROLE_USER' })
  })

  it('never takes the role from the user name', async () => {
    const users = new MemoryUsers(alice({ username: 'admin' }))
    expect((await signIn(users, 'admin', PASSWORD)).role).toBe('ROLE_USER')
  })

  it('gives ROLE_ADMIN to a user with both roles', async () => {
    const users = new MemoryUsers(alice({ roles: ['ROLE_USER', 'ROLE_ADMIN'] }))
    expect((await signIn(users, 'Alice', PASSWORD)).role).toBe('ROLE_ADMIN')
  })

  it.each(['alice', 'ALICE', 'aLiCe'])('finds the user by the name in any case: %s', async (name) => {
    expect((await signIn(new MemoryUsers(alice()), name, PASSWORD)).username).toBe('Alice')
  })

  it.each([
    ['an unknown name', 'Bob', PASSWORD, {}],
    ['a wrong password', 'Alice', 'wrong horse', {}],
    ['a disabled user', 'Alice', PASSWORD, { enabled: false }],
    ['a user without a role', 'Alice', PASSWORD, { roles: [] }],
    ['a name that no user can have', 'a'.repeat(10_000), PASSWORD, {}],
  ])('answers %s with the identical error', async (_, name, password, changes) => {
    await expect(signIn(new MemoryUsers(alice(changes)), name, password)).rejects.toMatchObject({
      code: 'BAD_CREDENTIALS',
      message: 'Invalid username or password',
      details: { authType: 'Login', reason: 'Bad credentials' },
    })
  })

  it.each([['a'.repeat(10_000)], [''], ['a'.repeat(257)]])(
    'never asks the store for a name that no user can have',
    async (name) => {
      const users = new MemoryUsers(alice())
      await expect(signIn(users, name, PASSWORD)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
      expect(users.asked).toEqual([])
    },
  )

  it('passes on that the store is down', async () => {
    const users = new MemoryUsers(alice())
    users.isDown = true
    await expect(signIn(users, 'Alice', PASSWORD)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('rehash on login', () => {
  it('happens when the parameters changed', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED }))
    await signIn(users, 'alice', PASSWORD)
    const { passwordHash: replaced = '' } = (await users.find('Alice')) ?? {}
    expect(replaced).toContain('$m=19456,t=2,p=1$')
    expect(await signIn(users, 'alice', PASSWORD)).toEqual({ username: 'Alice', role: 'ROLE_USER' })
  })

  it.each([
    ['the password is wrong', OUTDATED, 'wrong horse', true],
    ['the user is disabled', OUTDATED, PASSWORD, false],
  ])('does not happen when %s', async (_, stored, password, enabled) => {
    const users = new MemoryUsers(alice({ passwordHash: stored, enabled }))
    await expect(signIn(users, 'Alice', password)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    expect((await users.find('Alice'))?.passwordHash).toBe(stored)
  })

  it('does not happen while the hash is current', async () => {
    const users = new MemoryUsers(alice())
    await signIn(users, 'Alice', PASSWORD)
    expect((await users.find('Alice'))?.passwordHash).toBe(passwordHash)
  })

  it('leaves a hash alone that somebody else replaced in between', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED }))
    const find = users.find.bind(users)
    users.find = async (username) => {
      const found = await find(username)
      await users.replacePasswordHash(username, OUTDATED, 'set by a password change')
      return found
    }
    await signIn(users, 'Alice', PASSWORD)
    expect((await find('Alice'))?.passwordHash).toBe('set by a password change')
  })
})
