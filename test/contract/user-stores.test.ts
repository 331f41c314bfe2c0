import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dynamoLoginEnds,
  dynamoUserAdministration,
  dynamoUserList,
  dynamoUserStore,
} from '../../lib/adapters/dynamodb/users.ts'
import {
  type KnownUser,
  type LoginEnds,
  type User,
  type UserAdministration,
  type UserList,
  type UserStore,
  userKey,
} from '../../lib/users/user.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemoryUsers } from '../support/fakes/users.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly users: UserStore
  readonly administration: UserAdministration
  readonly list: UserList
  readonly ends: LoginEnds
}

const ALICE: User = {
  id: 'c3a1f4de-0000-4000-8000-000000000001',
  username: 'Alice',
  passwordHash: '$argon2id$1',
  roles: ['ROLE_ADMIN', 'ROLE_USER'],
  enabled: true,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
}

const AT = new Date('2026-02-03T04:05:06.789Z')
const ADMIN: Partial<User> = { roles: ['ROLE_ADMIN'] }

const STORES = fakeAnd<Stores>(
  () => {
    const users = new MemoryUsers()
    return { users, administration: users, list: users, ends: users.ends }
  },
  (documents) => ({
    users: dynamoUserStore(documents, TABLES.users),
    administration: dynamoUserAdministration(documents, TABLES),
    list: dynamoUserList(documents, TABLES.users),
    ends: dynamoLoginEnds(documents, TABLES.users),
  }),
)

function newUser(changes: Partial<User> = {}): User {
  const id = randomUUID()
  return { ...ALICE, id, username: `User-${id}`, roles: ['ROLE_USER'], ...changes }
}

/** Without what only a login reads. */
const known = ({ passwordHash: _, ...user }: User): KnownUser => user

describe.each(STORES)('%s as a user store', (_, open) => {
  const stores = open()

  beforeAll(async () => void (await stores.administration.add(ALICE)))

  it.each(['alice', 'ALICE'])('finds a user by the name in any case: %s', async (name) => {
    expect(await stores.users.find(name)).toEqual(ALICE)
  })

  it('replaces a password hash only if it is unchanged since it was read', async () => {
    await stores.users.replacePasswordHash(ALICE.id, 'another', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$1')
    await stores.users.replacePasswordHash(ALICE.id, '$argon2id$1', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$2')
    await stores.users.replacePasswordHash(randomUUID(), '$argon2id$1', '$argon2id$2')
  })

  it('adds a user who is found by name and by id', async () => {
    const user = newUser({ enabled: false, roles: [] })
    expect(await stores.administration.add(user)).toBe('added')
    expect(await stores.users.find(user.username.toUpperCase())).toEqual(user)
    expect(await stores.administration.findById(user.id)).toMatchObject(known(user))
  })

  it('adds no user under a name that is taken in any case', async () => {
    const user = newUser({ username: 'ALICE' })
    expect(await stores.administration.add(user)).toBe('taken')
    expect(await stores.administration.findById(user.id)).toBeUndefined()
    expect((await stores.users.find('alice'))?.id).toBe(ALICE.id)
  })

  it('B24 adds one of several parallel users with the same name', async () => {
    const username = `Wanted-${randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 8 }, () => stores.administration.add(newUser({ username }))))
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(1)
  })

  it('finds no user by an id that is a name, nor by a name that is an id', async () => {
    for (const id of ['nobody', 'alice', '', 'NAME#alice'])
      expect(await stores.administration.findById(id)).toBeUndefined()
    expect(await stores.users.find(ALICE.id)).toBeUndefined()
  })

  it('writes nothing for a user who is removed, or no longer as read', async () => {
    const [user, gone] = [newUser(), newUser()]
    await stores.administration.add(user)
    for (const read of [gone, { ...user, enabled: false }, { ...user, roles: ['ROLE_ADMIN'] as const }]) {
      expect(await stores.administration.remove(read)).toBe('moved')
      expect(await stores.administration.update(read, { enabled: false, validAfter: AT })).toBe('moved')
    }
    expect(await stores.users.findById(user.id)).toEqual(user)
    expect(await stores.users.findById(gone.id)).toBeUndefined()
  })

  it('changes the given fields of a user, and ends the logins before', async () => {
    const user = newUser()
    await stores.administration.add(user)
    expect(await stores.administration.update(user, { passwordHash: '$argon2id$3', validAfter: AT })).toBe('written')
    const changed = { ...user, passwordHash: '$argon2id$3', validAfter: AT }
    expect(await stores.users.findById(user.id)).toEqual(changed)
    const others = { roles: ['ROLE_ADMIN'], enabled: false } as const
    const later = new Date(AT.getTime() + 1)
    expect(await stores.administration.update(changed, { ...others, validAfter: later })).toBe('written')
    expect(await stores.users.find(user.username)).toEqual({ ...changed, ...others, validAfter: later })
  })

  it('B30 removes or demotes an admin only while another one is an enabled admin', async () => {
    const [user, other] = [newUser(ADMIN), newUser(ADMIN)]
    const [disabled, demoted] = [newUser({ ...ADMIN, enabled: false }), newUser()]
    for (const each of [user, other, disabled, demoted]) await stores.administration.add(each)
    for (const missing of [newUser(ADMIN), disabled, demoted, { ...other, id: randomUUID() }]) {
      expect(await stores.administration.remove(user, missing)).toBe('moved')
      expect(await stores.administration.update(user, { roles: ['ROLE_USER'], validAfter: AT }, missing)).toBe('moved')
      expect(await stores.users.find(user.username)).toEqual(user)
    }
    expect(await stores.administration.remove(user, other)).toBe('written')
    expect(await stores.users.find(user.username)).toBeUndefined()
    expect(await stores.administration.findById(user.id)).toBeUndefined()
  })

  it.each([
    ['remove each other', 'remove', 'remove'],
    ['demote each other', 'demote', 'demote'],
    ['remove and disable each other', 'remove', 'disable'],
  ] as const)('of two admins who %s at once one stays an enabled admin', async (_, first, second) => {
    const WRITES = {
      remove: (user: User, beside: User) => stores.administration.remove(user, beside),
      demote: (user: User, beside: User) =>
        stores.administration.update(user, { roles: ['ROLE_USER'], validAfter: AT }, beside),
      disable: (user: User, beside: User) =>
        stores.administration.update(user, { enabled: false, validAfter: AT }, beside),
    }
    for (let round = 0; round < 5; round++) {
      const [one, other] = [newUser(ADMIN), newUser(ADMIN)]
      await Promise.all([stores.administration.add(one), stores.administration.add(other)])
      const answers = await Promise.all([WRITES[first](one, other), WRITES[second](other, one)])
      expect(answers.toSorted()).toEqual(['moved', 'written'])
    }
  })

  it('B30 finds another admin, who is enabled and not the same', async () => {
    const disabled = newUser({ ...ADMIN, enabled: false, username: `!-${randomUUID()}` })
    await stores.administration.add(disabled)
    const first = await stores.administration.findOtherAdmin(disabled.id)
    expect(first).toMatchObject({ enabled: true, roles: expect.arrayContaining(['ROLE_ADMIN']) })
    const second = await stores.administration.findOtherAdmin(first?.id ?? '')
    expect(second?.id).not.toBe(first?.id)
    expect(second).toMatchObject({ enabled: true, roles: expect.arrayContaining(['ROLE_ADMIN']) })
  })

  it('sets a password if the logins have not ended since the user was read', async () => {
    const user = newUser()
    await stores.administration.add(user)
    expect(await stores.users.setPassword(user, { passwordHash: '$argon2id$2', validAfter: AT })).toBe('written')
    const changed = { ...user, passwordHash: '$argon2id$2', validAfter: AT }
    expect(await stores.users.findById(user.id)).toEqual(changed)
    for (const read of [user, newUser()])
      expect(await stores.users.setPassword(read, { passwordHash: '$argon2id$3', validAfter: AT })).toBe('moved')
    const later = new Date(AT.getTime() + 1)
    expect(await stores.users.setPassword(changed, { passwordHash: '$argon2id$4', validAfter: later })).toBe('written')
    expect(await stores.users.findById(user.id)).toEqual({ ...user, passwordHash: '$argon2id$4', validAfter: later })
  })

  it('notes logins, at most one a minute, and none of a removed user', async () => {
    const [user, gone] = [newUser(), newUser()]
    await stores.administration.add(user)
    const note = (milliseconds: number) => stores.users.noteLogin(user.id, new Date(AT.getTime() + milliseconds))
    const noted = async () => (await stores.users.findById(user.id))?.lastLoginAt
    await note(0)
    await note(59_999)
    expect(await noted()).toEqual(AT)
    await note(60_000)
    await note(30_000)
    expect(await noted()).toEqual(new Date(AT.getTime() + 60_000))
    await stores.users.noteLogin(gone.id, AT)
    expect(await stores.users.findById(gone.id)).toBeUndefined()
  })

  it('notes the end of the logins of another store’s account, and never moves it back', async () => {
    const uid = 'ldap:8a3f'
    const [early, late] = [new Date(1_000), new Date(2_000)]
    expect(await stores.ends.find(uid)).toBeUndefined()
    await stores.ends.end(uid, late)
    await stores.ends.end(uid, early)
    expect(await stores.ends.find(uid)).toEqual(late)
    expect(await stores.administration.findById(uid)).toBeUndefined()
    expect((await stores.list.page(1000)).users.map(({ id }) => id)).not.toContain(uid)
  })

  it('returns this end with a user, and creates no user for a removed one', async () => {
    const [user, gone] = [newUser(), newUser()]
    await stores.administration.add(user)
    const at = new Date('2026-02-03T04:05:06.789Z')
    for (const { id } of [user, gone]) await stores.ends.end(id, at)
    expect(await stores.users.findById(user.id)).toEqual({ ...user, validAfter: at })
    expect(await stores.ends.find(user.id)).toEqual(at)
    expect(await stores.ends.find(gone.id)).toBeUndefined()
    expect(await stores.users.findById(gone.id)).toBeUndefined()
  })

  it('B18 removes a user, whose name is free for a new one', async () => {
    const former = newUser()
    await stores.administration.add(former)
    await stores.administration.remove(former)
    expect(await stores.users.find(former.username)).toBeUndefined()
    const next = { ...former, id: randomUUID() }
    expect(await stores.administration.add(next)).toBe('added')
    await stores.administration.remove(former)
    expect(await stores.users.find(former.username)).toEqual(next)
    expect(await stores.administration.findById(former.id)).toBeUndefined()
  })

  it('lists each user once, and no more than requested', async () => {
    const users = ['zoe', 'Bea', 'mia'].map((name) => newUser({ username: `${name}-${randomUUID()}` }))
    for (const user of users) await stores.administration.add(user)
    const names = (await stores.list.page(1000)).users.map(({ username }) => username)
    expect(new Set(names).size).toBe(names.length)
    for (const { username } of users) expect(names).toContain(username)
    expect((await stores.list.page(2)).users).toHaveLength(2)
  })

  async function pages(limit: number, meanwhile: (page: number) => Promise<unknown> = async () => {}) {
    const found: KnownUser[] = []
    let after: string | undefined
    for (let page = 0; page < 1000; page++) {
      const { users, next } = await stores.list.page(limit, after)
      expect(users.length).toBeLessThanOrEqual(limit)
      found.push(...users)
      await meanwhile(page)
      if (next === undefined) return found
      after = next
    }
    throw new Error('the pages have no end')
  }

  it.each([1, 3])('pages through users by name, each once and with every field: %i a page', async (limit) => {
    const users = ['zoe', 'Bea', 'ähm', '😀'].map((name) => newUser({ username: `${name}-${randomUUID()}` }))
    for (const user of users) await stores.administration.add(user)
    const found = await pages(limit)
    const keys = found.map(({ username }) => userKey(username) ?? '')
    expect(keys).toEqual(keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))))
    expect(new Set(keys).size).toBe(keys.length)
    for (const user of users) expect(found).toContainEqual(expect.objectContaining(known(user)))
    expect(found.length).toBe((await stores.list.page(10_000)).users.length)
  })

  it('B33 repeats and skips no user during changes, including the user at the border of a page', async () => {
    const prefix = `page-${randomUUID()}`
    const users = Array.from({ length: 12 }, (_, index) =>
      newUser({ username: `${prefix}-${String(index).padStart(2, '0')}` }),
    )
    for (const user of users) await stores.administration.add(user)
    const staying = users.filter((_, index) => index % 3 !== 2)
    const leaving = users.filter((_, index) => index % 3 === 2)
    const found = await pages(3, async (page) => {
      await stores.administration.add(newUser({ username: `${prefix}-${page}-new` }))
      const gone = leaving.shift()
      if (gone) await stores.administration.remove(gone)
    })
    const ids = found.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of staying) expect(ids).toContain(id)
  })
})
