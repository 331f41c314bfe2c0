import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoLoginEnds } from '../../lib/adapters/dynamodb/login-ends.ts'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/user-administration.ts'
import { dynamoUserStore } from '../../lib/adapters/dynamodb/user-store.ts'
import type { LoginEnds, User, UserAdministration, UserStore } from '../../lib/users/user.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { MemoryUsers } from '../support/fakes/users.ts'

interface Stores {
  readonly users: UserStore
  readonly administration: UserAdministration
  readonly ends: LoginEnds
  stop(): Promise<void>
}

const ALICE: User = {
  id: 'c3a1f4de-0000-4000-8000-000000000001',
  username: 'Alice',
  passwordHash: '$argon2id$1',
  roles: ['ROLE_ADMIN', 'ROLE_USER'],
  enabled: true,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => fake()],
  [ENGINE, async () => emulated(await emulatedStore(ENGINE))],
]

function fake(): Stores {
  const users = new MemoryUsers()
  return { users, administration: users, ends: users.ends, stop: async () => {} }
}

function emulated({ documents, stop }: EmulatedStore): Stores {
  return {
    users: dynamoUserStore(documents, TABLES.users),
    administration: dynamoUserAdministration(documents, TABLES.users),
    ends: dynamoLoginEnds(documents, TABLES.users),
    stop,
  }
}

function newUser(changes: Partial<User> = {}): User {
  const id = randomUUID()
  return {
    id,
    username: `User-${id}`,
    passwordHash: '$argon2id$1',
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: ALICE.createdAt,
    ...changes,
  }
}

describe.each(IMPLEMENTATIONS)('%s keeps users', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
    await stores.administration.add(ALICE)
  })
  afterAll(() => stores.stop())

  it.each(['Alice', 'alice', 'ALICE'])('and finds one by the name in any case: %s', async (name) => {
    expect(await stores.users.find(name)).toEqual(ALICE)
  })

  it('and knows nobody else', async () => {
    expect(await stores.users.find('bob')).toBeUndefined()
  })

  it('and replaces a password hash only if it is still the one that was read', async () => {
    await stores.users.replacePasswordHash(ALICE.id, 'another', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$1')
    await stores.users.replacePasswordHash(ALICE.id, '$argon2id$1', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$2')
    await stores.users.replacePasswordHash(randomUUID(), '$argon2id$1', '$argon2id$2')
  })

  it('and adds one who is found by name and by id', async () => {
    const user = newUser({ enabled: false, roles: [] })
    expect(await stores.administration.add(user)).toBe('added')
    expect(await stores.users.find(user.username.toUpperCase())).toEqual(user)
    expect(await stores.administration.findById(user.id)).toEqual(user)
  })

  it.each(['Alice', 'alice', 'ALICE'])(
    'and adds nobody under a name that is taken in any case: %s',
    async (username) => {
      const user = newUser({ username })
      expect(await stores.administration.add(user)).toBe('taken')
      expect(await stores.administration.findById(user.id)).toBeUndefined()
      expect((await stores.users.find('alice'))?.id).toBe(ALICE.id)
    },
  )

  it('B24 and adds one of many who want a name at once', async () => {
    const username = `Wanted-${randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 8 }, () => stores.administration.add(newUser({ username }))))
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(1)
  })

  it('B16 and adds nobody who looks like another, of many at once only one, until that one is gone', async () => {
    const look = `look-${randomUUID()}`
    const users = Array.from({ length: 8 }, () => newUser({ look }))
    const answers = await Promise.all(users.map((user) => stores.administration.add(user)))
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(1)
    const first = users[answers.indexOf('added')] ?? newUser()
    expect(await stores.administration.findById(first.id)).toEqual(first)
    expect(await stores.users.find(first.username)).toEqual(first)
    await stores.administration.remove(first)
    const [next, other] = [newUser({ look }), newUser({ look: `${look} of another` })]
    expect(await stores.administration.add(next)).toBe('added')
    expect(await stores.administration.add(other)).toBe('added')
    expect(await stores.administration.add(newUser({ look }))).toBe('taken')
  })

  it('and keeps a look of any length', async () => {
    expect(await stores.administration.add(newUser({ look: '\u0635'.repeat(5000) }))).toBe('added')
  })

  it.each(['nobody', 'alice', '', 'NAME#alice'])('and finds nobody by the id %j', async (id) => {
    expect(await stores.administration.findById(id)).toBeUndefined()
  })

  it('and knows nobody by a name that is an id', async () => {
    expect(await stores.users.find(ALICE.id)).toBeUndefined()
  })

  it('and removes one, whose name is free again', async () => {
    const user = newUser()
    await stores.administration.add(user)
    await stores.administration.remove(user)
    expect(await stores.users.find(user.username)).toBeUndefined()
    expect(await stores.administration.findById(user.id)).toBeUndefined()
    expect(await stores.administration.add({ ...user, id: randomUUID() })).toBe('added')
    expect(await stores.administration.findById(user.id)).toBeUndefined()
  })

  it('and removes one who is gone without a complaint', async () => {
    expect(await stores.administration.remove(newUser())).toBe('removed')
  })

  it('and removes one only beside another who is there and enabled, where that is wanted', async () => {
    const [user, other, disabled] = [newUser(), newUser(), newUser({ enabled: false })]
    for (const each of [user, other, disabled]) await stores.administration.add(each)
    for (const missing of [newUser(), disabled, { ...other, id: randomUUID() }]) {
      expect(await stores.administration.remove(user, missing)).toBe('alone')
      expect(await stores.users.find(user.username)).toEqual(user)
    }
    expect(await stores.administration.remove(user, other)).toBe('removed')
    expect(await stores.users.find(user.username)).toBeUndefined()
    expect(await stores.administration.findById(user.id)).toBeUndefined()
  })

  it('B23 and of two who remove each other at once one stays', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [newUser(), newUser()]
      await Promise.all([stores.administration.add(one), stores.administration.add(other)])
      const answers = [stores.administration.remove(one, other), stores.administration.remove(other, one)]
      expect((await Promise.all(answers)).toSorted()).toEqual(['alone', 'removed'])
      const left = await Promise.all([one, other].map(({ id }) => stores.administration.findById(id)))
      expect(left.filter((user) => user !== undefined)).toHaveLength(1)
    }
  })

  it.each(['ldap:8a3f', 'google:17'])(
    'and notes when the logins of another store’s account %s end, never earlier',
    async (uid) => {
      const [early, late] = [new Date(1_000), new Date(2_000)]
      expect(await stores.ends.find(uid)).toBeUndefined()
      await stores.ends.end(uid, late)
      await stores.ends.end(uid, early)
      expect(await stores.ends.find(uid)).toEqual(late)
      expect(await stores.administration.findById(uid)).toBeUndefined()
      expect((await stores.administration.list(1000)).map(({ id }) => id)).not.toContain(uid)
    },
  )

  it('and tells it of a user with the user, and makes nobody of one who is gone', async () => {
    const [user, gone] = [newUser(), newUser()]
    await stores.administration.add(user)
    const at = new Date('2026-02-03T04:05:06.789Z')
    for (const { id } of [user, gone]) await stores.ends.end(id, at)
    expect(await stores.users.findById(user.id)).toEqual({ ...user, validAfter: at })
    expect(await stores.ends.find(user.id)).toEqual(at)
    expect(await stores.ends.find(gone.id)).toBeUndefined()
    expect(await stores.users.findById(gone.id)).toBeUndefined()
  })

  it('B18 and gives a name that is free again to somebody else', async () => {
    const former = newUser()
    await stores.administration.add(former)
    await stores.administration.remove(former)
    const next = { ...former, id: randomUUID() }
    await stores.administration.add(next)
    await stores.administration.remove(former)
    expect(await stores.users.find(former.username)).toEqual(next)
  })

  it('and lists users by name, each once', async () => {
    const users = ['zoe', 'Bea', 'mia'].map((name) => newUser({ username: `${name}-${randomUUID()}` }))
    for (const user of users) await stores.administration.add(user)
    const names = (await stores.administration.list(1000)).map(({ username }) => username)
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)))
    expect(new Set(names).size).toBe(names.length)
    for (const { username } of users) expect(names).toContain(username)
    expect(names).toContain('Alice')
  })

  it('and lists them whole, but no more than asked for', async () => {
    const all = await stores.administration.list(1000)
    expect(all.find(({ id }) => id === ALICE.id)).toMatchObject({
      username: 'Alice',
      roles: ALICE.roles,
      enabled: true,
    })
    expect(await stores.administration.list(2)).toHaveLength(2)
  })
})
