import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseAccounts, directoryAccounts, eitherAccounts, verifiedCredentials } from '../../../lib/auth/accounts.ts'
import type { Directory } from '../../../lib/auth/directory.ts'
import { hashPassword } from '../../../lib/auth/password.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { User } from '../../../lib/users/user.ts'
import {
  answering,
  countedArgon2,
  DATABASE_ACCOUNT,
  DIRECTORY_ACCOUNT,
  FULL_COST,
  PLAIN_PASSWORDS,
} from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryUsers, OUTDATED_HASH } from '../../support/fakes/users.ts'

const PASSWORD = 'correct horse'
const argon2 = countedArgon2()
let passwordHash = ''

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(() => {
  argon2.asked.length = 0
})

function alice(changes: Partial<User> = {}): User {
  return {
    id: 'id-1',
    username: 'Alice',
    passwordHash,
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: START,
    ...changes,
  }
}

describe('the users table', () => {
  it.each([
    ['an unknown name', 'bob', PASSWORD, true, 'unknown'],
    ['a name that no user can have', '', PASSWORD, true, 'unknown'],
    ['a wrong password', 'alice', 'wrong', true, 'refused'],
    ['a disabled user', 'alice', PASSWORD, false, 'refused'],
  ])('B04 spends one whole hash on %s', async (_, username, password, enabled, outcome) => {
    const accounts = databaseAccounts(new MemoryUsers(alice({ enabled })), undefined, argon2)
    expect(await accounts.check(username, password)).toBe(outcome)
    expect(argon2.asked).toEqual([FULL_COST])
  })

  it('returns the account of a right password', async () => {
    const accounts = databaseAccounts(new MemoryUsers(alice()), undefined, argon2)
    expect(await accounts.check('ALICE', PASSWORD)).toEqual(DATABASE_ACCOUNT)
    expect(argon2.asked).toEqual([FULL_COST])
  })

  it('renews a hash whose parameters changed, and returns the account', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED_HASH }))
    expect(await databaseAccounts(users).check('alice', PASSWORD)).toEqual(DATABASE_ACCOUNT)
    expect((await users.find('alice'))?.passwordHash).toContain('$m=19456,t=2,p=1$')
  })

  it('leaves an outdated hash as it is where no login renews it, as with HTTP Basic', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED_HASH }))
    const reading = { find: users.find.bind(users), findById: users.findById.bind(users) }
    expect(await databaseAccounts(reading).check('alice', PASSWORD)).toEqual(DATABASE_ACCOUNT)
    expect((await users.find('alice'))?.passwordHash).toBe(OUTDATED_HASH)
  })

  it('remembers no password without a cache', async () => {
    const accounts = databaseAccounts(new MemoryUsers(alice({ passwordHash: PASSWORD })), undefined, PLAIN_PASSWORDS)
    await accounts.check('alice', PASSWORD)
    expect(await accounts.recall?.('alice', PASSWORD)).toBeUndefined()
  })
})

describe('B13 a right password is accepted from the cache', () => {
  async function remembered() {
    const users = new MemoryUsers(alice({ passwordHash: PASSWORD }))
    const clock = fixedClock()
    const accounts = databaseAccounts(users, verifiedCredentials(clock, 60), PLAIN_PASSWORDS)
    await accounts.check('alice', PASSWORD)
    return { users, clock, accounts }
  }

  it('during its lifetime', async () => {
    const accounts = databaseAccounts(new MemoryUsers(alice()), verifiedCredentials(fixedClock(), 60), argon2)
    await accounts.check('alice', PASSWORD)
    argon2.asked.length = 0
    expect(await accounts.recall?.('alice', PASSWORD)).toEqual(DATABASE_ACCOUNT)
    expect(argon2.asked).toEqual([])
  })

  it('with the present roles of the user', async () => {
    const { users, accounts } = await remembered()
    users.change('alice', { roles: ['ROLE_ADMIN'] })
    expect((await accounts.recall?.('alice', PASSWORD))?.roles).toEqual(['ROLE_ADMIN'])
  })

  it.each<[string, Partial<User>]>([
    ['the password was changed', { passwordHash: OUTDATED_HASH }],
    ['the user was disabled', { enabled: false }],
  ])('but not after %s', async (_, changes) => {
    const { users, accounts } = await remembered()
    users.change('alice', changes)
    expect(await accounts.recall?.('alice', PASSWORD)).toBeUndefined()
  })

  it('but not after the user is deleted', async () => {
    const { users, accounts } = await remembered()
    await users.remove(alice())
    expect(await accounts.recall?.('alice', PASSWORD)).toBeUndefined()
  })

  it.each([
    ['a wrong password', 'wrong', true],
    ['the password of a disabled user', PASSWORD, false],
  ])('but never after %s', async (_, password, enabled) => {
    const users = new MemoryUsers(alice({ enabled, passwordHash: PASSWORD }))
    const accounts = databaseAccounts(users, verifiedCredentials(fixedClock(), 60), PLAIN_PASSWORDS)
    expect(await accounts.check('alice', password)).toBe('refused')
    users.change('alice', { enabled: true })
    expect(await accounts.recall?.('alice', password)).toBeUndefined()
  })
})

describe('the directory', () => {
  const directory: Directory = {
    check: async (username, password) =>
      username === 'carol' && password === PASSWORD
        ? { id: 'entry-1', username: 'carol', roles: ['ROLE_ADMIN'] }
        : undefined,
    find: async () => undefined,
    findById: async () => undefined,
    list: async () => ({ users: [], isWhole: true }),
    probe: async () => {},
  }

  it('returns the account of a right password with the roles of its groups', async () => {
    expect(await directoryAccounts(directory).check('carol', PASSWORD)).toEqual(DIRECTORY_ACCOUNT)
  })

  it('treats an unknown name like a wrong password', async () => {
    expect(await directoryAccounts(directory).check('carol', 'wrong')).toBe('unknown')
    expect(await directoryAccounts(directory).check('nobody', PASSWORD)).toBe('unknown')
  })
})

describe('database first; the directory only if the database lacks the name', () => {
  it('only the database answers for a right password', async () => {
    const second = answering(DIRECTORY_ACCOUNT)
    expect(await eitherAccounts(answering(DATABASE_ACCOUNT), second).check('alice', 'p')).toBe(DATABASE_ACCOUNT)
    expect(second.asked).toEqual([])
  })

  it.each([
    ['its account', DIRECTORY_ACCOUNT],
    ['its refusal', 'refused'],
    ['its verdict unknown', 'unknown'],
  ] as const)('an unknown name gets %s from the directory', async (_, outcome) => {
    const second = answering(outcome)
    expect(await eitherAccounts(answering('unknown'), second).check('carol', 'p')).toBe(outcome)
    expect(second.asked).toEqual([['carol', 'p']])
  })

  it.each(['unknown', 'refused'] as const)(
    'B05 a name that the database calls %s gets an outage while the directory is down',
    async (outcome) => {
      const failure = unavailable(new Error('down'))
      expect(await eitherAccounts(answering(outcome), answering(failure)).check('carol', 'p')).toEqual({ failure })
    },
  )

  it('B05 the database alone accepts logins while the directory is down', async () => {
    const accounts = eitherAccounts(answering(DATABASE_ACCOUNT), answering(unavailable(new Error('down'))))
    expect(await accounts.check('alice', 'p')).toBe(DATABASE_ACCOUNT)
  })

  it('a refusal of the database sends the directory a random unknown name each time', async () => {
    const second = answering('unknown')
    const accounts = eitherAccounts(answering('refused'), second)
    expect(await accounts.check('alice', 'wrong')).toBe('refused')
    expect(await accounts.check('alice', 'wrong')).toBe('refused')
    const given = second.asked.flat()
    expect(given).toHaveLength(4)
    expect(new Set(given).size).toBe(4)
    expect(given).not.toContain('alice')
    expect(given).not.toContain('wrong')
  })

  it('and the answer of the directory to it is ignored', async () => {
    const second = answering(DIRECTORY_ACCOUNT)
    expect(await eitherAccounts(answering('refused'), second).check('alice', 'wrong')).toBe('refused')
  })

  it('L12 an outage of the database never leads to the directory', async () => {
    const second = answering(DIRECTORY_ACCOUNT)
    const accounts = eitherAccounts(answering(unavailable(new Error('down'))), second)
    await expect(accounts.check('carol', 'p')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(second.asked).toEqual([])
  })

  it('the cache of the database is still used', async () => {
    const first = { ...answering('refused'), recall: async () => DATABASE_ACCOUNT }
    expect(await eitherAccounts(first, answering('unknown')).recall?.('alice', 'p')).toBe(DATABASE_ACCOUNT)
    expect(await eitherAccounts(answering('refused'), answering('unknown')).recall?.('alice', 'p')).toBeUndefined()
  })
})
