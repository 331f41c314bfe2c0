import { beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { createUser } from '../../../lib/users/manage.ts'
import type { User } from '../../../lib/users/user.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const ALICE: User = {
  id: 'a',
  username: 'Alice',
  passwordHash: 'h',
  roles: ['ROLE_ADMIN'],
  enabled: true,
  createdAt: START,
}
const BOB: User = { id: 'b', username: 'bob', passwordHash: 'h', roles: ['ROLE_USER'], enabled: true, createdAt: START }
let users = new MemoryUsers()
beforeEach(() => {
  users = new MemoryUsers(ALICE, BOB)
})

const parts = () => ({ ids: countingIds(), clock: fixedClock() })
const hash = async (password: string) => `hash of ${password}`

describe('a new user', () => {
  const DAVE = { username: 'Dave', password: 's3cret-12', role: 'ROLE_USER' } as const

  it('is answered with id, name and role, and stored enabled, with the hash of the password', async () => {
    const answer = { id: 'unique-1', username: 'Dave', role: 'ROLE_USER' }
    expect(await createUser(users, parts(), hash, DAVE)).toEqual(answer)
    expect(await users.find('dave')).toEqual({
      id: 'unique-1',
      username: 'Dave',
      passwordHash: 'hash of s3cret-12',
      roles: ['ROLE_USER'],
      enabled: true,
      createdAt: START,
    })
  })

  it('is 409 under a name that is taken in any case', async () => {
    await expect(createUser(users, parts(), hash, { ...DAVE, username: 'ALICE' })).rejects.toMatchObject({
      code: 'USER_EXISTS',
      status: 409,
    })
    expect(await users.find('alice')).toEqual(ALICE)
  })

  it('is 400 with a forbidden password, before any store is called, and does not repeat it', async () => {
    users.isDown = true
    const creation = createUser(users, parts(), hash, { ...DAVE, password: 'password1' })
    await expect(creation).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field: 'password', rejectedValue: null }] },
    })
  })

  it('B16 is 409 under a name that the directory has', async () => {
    const directory = { find: async (username: string) => (username === 'Dave' ? { username } : undefined) }
    const creation = createUser(users, parts(), hash, DAVE, directory)
    await expect(creation).rejects.toMatchObject({ code: 'USER_EXISTS', status: 409 })
    expect(await users.find('dave')).toBeUndefined()
    const other = await createUser(users, parts(), hash, { ...DAVE, username: 'Eve' }, directory)
    expect(other).toMatchObject({ username: 'Eve' })
  })

  it('is 503 during an outage of the directory, and no user is created', async () => {
    const directory = { find: () => Promise.reject(unavailable(new Error('down'))) }
    const creation = createUser(users, parts(), hash, DAVE, directory)
    await expect(creation).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await users.find('dave')).toBeUndefined()
  })
})
