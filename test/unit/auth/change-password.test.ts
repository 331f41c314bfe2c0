import { beforeEach, describe, expect, it } from 'vitest'
import { databaseAccounts } from '../../../lib/auth/accounts.ts'
import { changePassword, type PasswordChange } from '../../../lib/auth/change-password.ts'
import { createLoginFailures } from '../../../lib/auth/login-failures.ts'
import { checkPassword } from '../../../lib/auth/password.ts'
import { createCountedCheck } from '../../../lib/auth/sign-in.ts'
import type { User } from '../../../lib/users/user.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounters } from '../../support/fakes/counters.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { MemoryUsers, OUTDATED_HASH } from '../../support/fakes/users.ts'

const CURRENT = 'correct horse'
const OTHER = 'another of alice'
const HERE = '192.0.2.1'
const LIMITS = { perUser: 3, perAddress: 100, perName: 100, windowSeconds: 300 }

const ALICE: User = {
  id: 'id-1',
  username: 'Alice',
  passwordHash: OUTDATED_HASH,
  roles: ['ROLE_USER'],
  enabled: true,
  createdAt: START,
}

let users = new MemoryUsers()
let parts = setUp()

function setUp() {
  const clock = fixedClock()
  const failures = createLoginFailures(new MemoryCounters(), LIMITS, clock)
  const metrics = recordingMetrics()
  const check = createCountedCheck({ accounts: databaseAccounts(users), failures, metrics })
  return { users, clock, check, metrics, hash: async (text: string) => `hash of ${text}` }
}

beforeEach(() => {
  users = new MemoryUsers(ALICE)
  parts = setUp()
})

function change(changes: Partial<PasswordChange> = {}, uid = 'id-1'): Promise<void> {
  return changePassword(parts, { uid, address: HERE }, { current: CURRENT, new: OTHER, ...changes })
}

const refusalOf = (field: string) => ({
  code: 'VALIDATION_FAILED',
  details: { validationErrors: [{ field, rejectedValue: null }] },
})

describe('a change of one’s own password', () => {
  it('B32 happens with the current one, and ends the logins before it', async () => {
    await change()
    expect(await users.find('alice')).toEqual({ ...ALICE, passwordHash: `hash of ${OTHER}`, validAfter: START })
  })

  it.each<[string, Partial<PasswordChange>, string]>([
    ['a wrong current one', { current: 'wrong' }, 'current'],
    ['the same again', { new: CURRENT }, 'new'],
    ['a short one', { new: 'xqzjvkw' }, 'new'],
    ['a common one', { new: 'password1' }, 'new'],
    ['the user name', { new: 'alice' }, 'new'],
  ])('B32 is 400 for %s', async (_, changes, field) => {
    await expect(change(changes)).rejects.toMatchObject(refusalOf(field))
    const user = await users.find('alice')
    expect(await checkPassword(CURRENT, user?.passwordHash)).not.toBe('wrong')
    expect(user?.validAfter).toBeUndefined()
  })

  it('B31 counts a wrong current one, and waits after the limit, whatever comes then', async () => {
    for (let guess = 0; guess < 3; guess++) {
      await expect(change({ current: `wrong ${guess}` })).rejects.toMatchObject(refusalOf('current'))
    }
    await expect(change()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await users.find('alice'))?.passwordHash).toBe(OUTDATED_HASH)
  })

  it('B31 counts no password that could never be the new one, as nothing is looked at', async () => {
    for (let guess = 0; guess < 5; guess++) await expect(change({ current: 'wrong', new: 'short' })).rejects.toThrow()
    await change()
  })

  it('B31 forgives the wrong ones before a right one', async () => {
    parts.hash = async () => OUTDATED_HASH
    for (const current of ['wrong', 'wrong too', CURRENT]) await change({ current }).catch(() => {})
    const next = (current: string) => change({ current, new: 'a third of alice' })
    for (let guess = 0; guess < 2; guess++) await expect(next('wrong')).rejects.toMatchObject(refusalOf('current'))
  })

  it.each(['ldap:entry-1', 'google:17'])('is 403 for an account of another store: %s', async (uid) => {
    await expect(change({}, uid)).rejects.toMatchObject({ code: 'PASSWORD_ELSEWHERE', status: 403 })
  })

  it('B32 is 400 for the right password of somebody who has the name of the account', async () => {
    parts = { ...parts, users: new MemoryUsers({ ...ALICE, id: 'id-2' }) }
    await expect(change({}, 'id-2')).rejects.toMatchObject(refusalOf('current'))
  })

  it('is 503, and nothing changes, where the logins of the account end meanwhile', async () => {
    const { hash } = parts
    parts.hash = async (text) => {
      users.change('alice', { passwordHash: 'h', validAfter: new Date(START.getTime() + 1) })
      return hash(text)
    }
    await expect(change()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await users.find('alice'))?.passwordHash).toBe('h')
  })
})
