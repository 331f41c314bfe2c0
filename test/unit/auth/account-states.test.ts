import { describe, expect, it } from 'vitest'
import { createAccountStates } from '../../../lib/auth/account-states.ts'
import type { DirectoryAccount } from '../../../lib/auth/directory.ts'
import type { User } from '../../../lib/users/user.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const ALICE: User = {
  id: 'id-1',
  username: 'Alice',
  passwordHash: 'h',
  roles: ['ROLE_ADMIN'],
  enabled: true,
  createdAt: START,
}
const CAROL: DirectoryAccount = { id: '8a3f', username: 'carol', roles: ['ROLE_USER'] }
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)

interface World {
  readonly user?: User
  readonly entry?: DirectoryAccount
  readonly stores?: readonly ('database' | 'directory')[]
  readonly hasDirectory?: boolean
}

function setUp({ user = ALICE, entry = CAROL, stores = ['database', 'directory'], hasDirectory = true }: World = {}) {
  const users = new MemoryUsers(user)
  const directory = {
    find: async (name: string) => (name === entry.username ? entry : undefined),
    findById: async (id: string) => (id === entry.id ? entry : undefined),
  }
  const states = createAccountStates({
    users,
    ends: users.ends,
    directory: async () => (hasDirectory ? directory : undefined),
    stores,
    admins: ['google:1'],
  })
  return { users, states }
}

describe('the state of an account', () => {
  it('of the database is the state of its row', async () => {
    const { states } = setUp({ user: { ...ALICE, validAfter: at(1) } })
    const state = { uid: 'id-1', username: 'Alice', roles: ['ROLE_ADMIN'], createdAt: START, validAfter: at(1) }
    expect(await states.find('id-1')).toEqual(state)
    expect(await states.findByName('alice')).toEqual(state)
  })

  it.each(['id-2', 'ldap:id-1', 'NAME#alice'])('does not exist for the id %j', async (uid) => {
    expect(await setUp().states.find(uid)).toBeUndefined()
  })

  it('does not exist for a disabled user, also where the directory has one of that name', async () => {
    const { states } = setUp({ user: { ...ALICE, enabled: false }, entry: { ...CAROL, username: 'alice' } })
    expect([await states.find('id-1'), await states.findByName('alice')]).toEqual([undefined, undefined])
    expect(await states.look({ username: 'alice' })).toBe('disabled')
  })

  it.each([
    ['nothing', undefined, undefined, undefined],
    ['a change of the entry', at(5), undefined, at(5)],
    ['an end of its logins', undefined, at(5), at(5)],
    ['a change after the end', at(6), at(5), at(6)],
    ['an end after the change', at(5), at(6), at(6)],
  ])('of the directory counts from %s', async (_, changedAt, end, validAfter) => {
    const { users, states } = setUp({ entry: { ...CAROL, changedAt } })
    if (end) await users.ends.end('ldap:8a3f', end)
    const state = { uid: 'ldap:8a3f', username: 'carol', roles: ['ROLE_USER'], validAfter }
    expect(await states.find('ldap:8a3f')).toEqual(state)
    expect(await states.findByName('carol')).toEqual(state)
  })

  it('of a provider has the role from the present settings', async () => {
    const { users, states } = setUp()
    await users.ends.end('google:1', at(1))
    expect(await states.find('google:1')).toMatchObject({ roles: ['ROLE_ADMIN'], validAfter: at(1) })
    expect(await states.find('google:2')).toMatchObject({ roles: ['ROLE_USER'], validAfter: undefined })
  })

  it('is searched under a name only where a login would search', async () => {
    expect(await setUp({ stores: ['database'] }).states.findByName('carol')).toBeUndefined()
    expect(await setUp({ stores: ['directory'] }).states.findByName('alice')).toBeUndefined()
  })

  it.each<[string, World]>([
    ['in a missing directory', { hasDirectory: false }],
    ['for a disabled entry of the directory', { entry: { ...CAROL, isDisabled: true } }],
  ])('does not exist %s', async (_, world) => {
    const { states } = setUp(world)
    expect([await states.find('ldap:8a3f'), await states.findByName('carol')]).toEqual([undefined, undefined])
    const look = world.entry ? 'disabled' : 'gone'
    expect(await states.look({ uid: 'ldap:8a3f', username: '' })).toBe(look)
  })
})
