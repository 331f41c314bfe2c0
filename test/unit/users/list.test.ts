import { describe, expect, it } from 'vitest'
import { listCursor, member } from '../../../lib/runtime/list-cursor.ts'
import { findUser, knownAccount, listUsers } from '../../../lib/users/list.ts'
import type { User } from '../../../lib/users/user.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

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
  it.each(['a', 'ldap:0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', 'facebook:ü'])('is known by %s', async (id) => {
    expect(await knownAccount(users, id)).toBe(id)
  })

  it.each(['x', 'NAME#bob', 'ldap:a#b', 'elsewhere:1', 'google:\n', `google:${'x'.repeat(256)}`])(
    'is 404 by %j',
    async (id) => {
      await expect(knownAccount(users, id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    },
  )
})
