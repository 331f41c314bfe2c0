import { beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { listCursor, member } from '../../../lib/runtime/list-cursor.ts'
import {
  changeUser,
  createUser,
  findUser,
  knownAccount,
  listUsers,
  type RequestedChanges,
  removeUser,
} from '../../../lib/users/manage.ts'
import type { KnownUser, User } from '../../../lib/users/user.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

describe('manage', () => {
  const ALICE: User = {
    id: 'a',
    username: 'Alice',
    passwordHash: 'h',
    roles: ['ROLE_ADMIN'],
    enabled: true,
    createdAt: START,
  }
  const BOB: User = {
    id: 'b',
    username: 'bob',
    passwordHash: 'h',
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: START,
  }
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
})

describe('change', () => {
  const ALICE: User = {
    id: 'a',
    username: 'Alice',
    passwordHash: 'h',
    roles: ['ROLE_ADMIN'],
    enabled: true,
    createdAt: START,
  }
  const BOB: User = { ...ALICE, id: 'b', username: 'bob', roles: ['ROLE_USER'] }
  const CAROL: User = { ...ALICE, id: 'c', username: 'carol', roles: ['ROLE_USER', 'ROLE_ADMIN'] }
  const REFUSAL = new Error('refused')

  let users = new MemoryUsers()
  beforeEach(() => {
    users = new MemoryUsers(ALICE, BOB)
  })

  const forget = async () => {}
  const asker = (uid: string) => ({ uid, refuse: () => REFUSAL })
  const remove = (id: string, uid = 'google:17') => removeUser({ users, clock: fixedClock(), forget }, id, asker(uid))

  function change(id: string, changes: RequestedChanges, uid = 'google:17'): Promise<KnownUser> {
    const clock = fixedClock()
    clock.advance(5)
    return changeUser({ users, clock, forget, hash: async (text) => `hash of ${text}` }, id, changes, asker(uid))
  }

  const AFTER = new Date(START.getTime() + 5)

  describe('the removal of a user', () => {
    it('succeeds', async () => {
      await remove('b')
      expect(await users.find('bob')).toBeUndefined()
      expect(await users.find('alice')).toEqual(ALICE)
    })

    it.each(['x', 'ID#b'])('is 404 for the unknown id %j', async (id) => {
      await expect(remove(id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND', status: 404 })
    })

    it('is refused for the caller’s own account', async () => {
      await users.add(CAROL)
      await expect(remove('a', 'a')).rejects.toBe(REFUSAL)
      expect(await users.find('alice')).toEqual(ALICE)
    })

    it('B15 is refused for the last admin', async () => {
      await expect(remove('a')).rejects.toBe(REFUSAL)
      expect(await users.find('alice')).toEqual(ALICE)
    })

    it('B15 is refused for the last admin who is enabled', async () => {
      await users.add({ ...CAROL, enabled: false })
      await expect(remove('a')).rejects.toBe(REFUSAL)
    })

    it('succeeds for one of two admins', async () => {
      await users.add(CAROL)
      await remove('a')
      expect(await users.findById('a')).toBeUndefined()
    })

    it('B23 is refused for one of two admins who remove each other at once', async () => {
      await users.add(CAROL)
      const removals = await Promise.allSettled([remove('c', 'a'), remove('a', 'c')])
      expect(removals.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      expect(await users.find('alice')).toEqual(ALICE)
    })

    it('succeeds for a disabled admin, who does not count as the last one', async () => {
      users = new MemoryUsers({ ...ALICE, enabled: false })
      await remove('a')
      expect(await users.findById('a')).toBeUndefined()
    })
  })

  const KEYS = { keysValidAfter: AFTER }
  const PASSKEYS = { passkeysValidAfter: AFTER }

  describe('the change of a user', () => {
    it.each<[string, RequestedChanges, Partial<User>]>([
      ['a role', { role: 'ROLE_ADMIN' }, { roles: ['ROLE_ADMIN'], ...KEYS }],
      ['an end', { enabled: false }, { enabled: false }],
      ['a password', { password: 's3cret-12' }, { passwordHash: 'hash of s3cret-12', ...KEYS, ...PASSKEYS }],
      [
        'all fields at once',
        { role: 'ROLE_USER', enabled: true, password: 's3cret-12' },
        { roles: ['ROLE_USER'], enabled: true, passwordHash: 'hash of s3cret-12', ...KEYS, ...PASSKEYS },
      ],
      ['the present values', { role: 'ROLE_USER' }, {}],
    ])('S14 sets the given fields, and ends what was made before it: %s', async (_title, changes, changed) => {
      const { keysValidAfter: _, passkeysValidAfter: __, ...shown } = changed
      expect(await change('b', changes)).toEqual({ ...BOB, ...shown })
      expect(await users.findById('b')).toEqual({ ...BOB, ...changed, validAfter: AFTER })
    })

    it.each<RequestedChanges>([{ role: 'ROLE_USER' }, { enabled: false }])(
      'B30 is refused where no enabled admin would remain: %j',
      async (changes) => {
        await users.add({ ...CAROL, enabled: false })
        await expect(change('a', changes)).rejects.toBe(REFUSAL)
        await expect(change('a', changes, 'a')).rejects.toBe(REFUSAL)
        expect(await users.find('alice')).toEqual(ALICE)
      },
    )

    it.each<RequestedChanges>([{ role: 'ROLE_USER' }, { enabled: false }])(
      'succeeds for one admin if there is another, including the caller: %j',
      async (changes) => {
        await users.add(CAROL)
        await change('a', changes, 'a')
        expect(await users.findOtherAdmin('')).toEqual(CAROL)
      },
    )

    it.each<RequestedChanges>([{ password: 's3cret-12' }, { enabled: true }])(
      'searches no other admin if none is lost: %j',
      async (changes) => {
        expect(await change('a', changes)).toMatchObject({ roles: ['ROLE_ADMIN'], enabled: true })
      },
    )

    it.each<[string, RequestedChanges, RequestedChanges | 'remove']>([
      ['demote each other', { role: 'ROLE_USER' }, { role: 'ROLE_USER' }],
      ['demote and remove each other', { role: 'ROLE_USER' }, 'remove'],
    ])('B30 is refused for one of two admins who %s at once', async (_, first, second) => {
      await users.add(CAROL)
      const other = second === 'remove' ? remove('c', 'a') : change('c', second, 'a')
      const outcomes = await Promise.allSettled([change('a', first, 'c'), other])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(outcomes).toContainEqual({ status: 'rejected', reason: REFUSAL })
      expect(await users.findOtherAdmin('')).toBeDefined()
    })

    it('B30 searches a third admin if the second is lost in the meantime', async () => {
      await users.add(CAROL)
      await users.add({ ...CAROL, id: 'd', username: 'dora' })
      await Promise.all([change('c', { enabled: false }, 'd'), change('a', { role: 'ROLE_USER' }, 'd')])
      expect(await users.findOtherAdmin('')).toMatchObject({ id: 'd' })
    })

    it('is 503 after repeated conflicts', async () => {
      users.update = async () => 'moved'
      await expect(change('b', { enabled: false })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    })

    it.each(['xqzjvkw', 'p'.repeat(1025)])('is 400 for a password that is not allowed: %s', async (password) => {
      await expect(change('b', { password })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { validationErrors: [{ field: 'password', rejectedValue: null }] },
      })
      expect(await users.findById('b')).toEqual(BOB)
    })

    it('B32 is refused for the caller’s own password', async () => {
      await expect(change('a', { password: 's3cret-12' }, 'a')).rejects.toBe(REFUSAL)
      expect(await users.find('alice')).toEqual(ALICE)
    })

    it('is 404 for an unknown user', async () => {
      for (const changes of [{ enabled: false }, { password: 's3cret-12' }])
        await expect(change('x', changes)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    })
  })
})

const ALICE: User = {
  id: 'a',
  username: 'Älice',
  passwordHash: 'a hash',
  roles: ['ROLE_USER', 'ROLE_ADMIN'],
  enabled: true,
  createdAt: START,
  validAfter: START,
}
const BOB: User = {
  id: 'b',
  username: 'bob',
  passwordHash: 'a hash',
  roles: [],
  enabled: false,
  createdAt: START,
  lastLoginAt: START,
}
const SHOWN_ALICE = {
  id: 'a',
  username: 'Älice',
  role: 'ROLE_ADMIN',
  enabled: true,
  createdAt: START.toISOString(),
  lastLoginAt: null,
}
const SHOWN_BOB = {
  ...SHOWN_ALICE,
  id: 'b',
  username: 'bob',
  role: null,
  enabled: false,
  lastLoginAt: START.toISOString(),
}

const users = new MemoryUsers(ALICE, BOB)

describe('a page of users', () => {
  it('shows them by name, without the password and the end of logins', async () => {
    expect(await listUsers(users, { limit: 2 })).toEqual({ users: [SHOWN_BOB, SHOWN_ALICE], nextCursor: null })
  })

  it('names the next one, which begins after it', async () => {
    const { users: first, nextCursor } = await listUsers(users, { limit: 1 })
    expect(first).toEqual([SHOWN_BOB])
    expect(await listUsers(users, { limit: 1, cursor: nextCursor ?? '' })).toEqual({
      users: [SHOWN_ALICE],
      nextCursor: null,
    })
  })

  it.each([
    ['a name', Buffer.from('bob').toString('base64url')],
    ['an unknown list', listCursor('events', { key: member.name }).of({}, { key: 'bob' })],
  ])('B33 is 400 with a cursor of %s', async (_, text) => {
    await expect(listUsers(users, { limit: 1, cursor: text })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field: 'cursor', rejectedValue: text }] },
    })
  })
})

describe('one user', () => {
  it('is shown', async () => {
    expect(await findUser(users, 'a')).toEqual(SHOWN_ALICE)
  })

  it('is 404 by an unknown id', async () => {
    await expect(findUser(users, 'x')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})

describe('an account', () => {
  it.each(['a', 'ldap:0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', 'ldap:ada@example.com', 'facebook:ü'])(
    'is known by %s',
    async (id) => {
      expect(await knownAccount(users, id)).toBe(id)
    },
  )

  it.each(['x', 'NAME#bob', 'ldap:', 'Elsewhere:1', 'google:\n', `google:${'x'.repeat(256)}`])(
    'is 404 by %j',
    async (id) => {
      await expect(knownAccount(users, id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    },
  )
})
