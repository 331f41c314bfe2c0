import { beforeEach, describe, expect, it } from 'vitest'
import { databaseAccounts } from '../../../lib/auth/accounts.ts'
import { changePassword, type PasswordChange } from '../../../lib/auth/change-password.ts'
import { createLoginFailures } from '../../../lib/auth/login-failures.ts'
import { createCountedCheck } from '../../../lib/auth/sign-in.ts'
import type { User } from '../../../lib/users/user.ts'
import { PLAIN_PASSWORDS } from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { recordingLogins } from '../../support/fakes/trail.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const CURRENT = 'correct horse'
const OTHER = 'another of alice'
const HERE = '192.0.2.1'
const LIMITS = { perUser: 3, perAddress: 100, perName: 100, windowSeconds: 300 }

const ALICE: User = {
  id: 'id-1',
  username: 'Alice',
  passwordHash: CURRENT,
  roles: ['ROLE_USER'],
  enabled: true,
  createdAt: START,
}

let users = new MemoryUsers()
let parts = setUp()

function setUp() {
  const clock = fixedClock()
  const failures = createLoginFailures(new MemoryCounter(), LIMITS, clock)
  const metrics = recordingMetrics()
  const accounts = databaseAccounts(users, undefined, PLAIN_PASSWORDS)
  const logins = recordingLogins()
  const forgotten: unknown[] = []
  const forget = async (...ended: unknown[]) => void forgotten.push(ended)
  const check = createCountedCheck({ accounts, failures, metrics, logins })
  return { users, clock, check, metrics, logins, forgotten, forget, hash: async (text: string) => `hash of ${text}` }
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

describe('a change of the caller’s password', () => {
  it('B32 succeeds with the current one, and ends the logins before it', async () => {
    await change()
    expect(await users.find('alice')).toEqual({ ...ALICE, passwordHash: `hash of ${OTHER}`, validAfter: START })
  })

  it.each([
    [false, ['session', 'token', 'ticket'], {}],
    [true, ['session', 'token', 'ticket', 'passkey', 'key'], { passkeysValidAfter: START, keysValidAfter: START }],
  ])('ends logins alone, and passkeys and keys with `everything`: %s', async (everything, kinds, marks) => {
    await change({ everything })
    expect(await users.find('alice')).toMatchObject({ validAfter: START, ...marks })
    expect(Object.hasOwn((await users.find('alice')) ?? {}, 'keysValidAfter')).toBe(everything)
    expect(parts.forgotten).toEqual([['id-1', kinds, START]])
  })

  it.each<[string, Partial<PasswordChange>, string]>([
    ['a wrong current one', { current: 'wrong' }, 'current'],
    ['the current one as the new one', { new: CURRENT }, 'new'],
    ['a common one', { new: 'password1' }, 'new'],
  ])('B32 is 400 for %s', async (_, changes, field) => {
    await expect(change(changes)).rejects.toMatchObject(refusalOf(field))
    const user = await users.find('alice')
    expect(user?.passwordHash).toBe(CURRENT)
    expect(user?.validAfter).toBeUndefined()
  })

  it('B31 counts a wrong current one, and refuses every call after the limit', async () => {
    for (let guess = 0; guess < 3; guess++) {
      await expect(change({ current: `wrong ${guess}` })).rejects.toMatchObject(refusalOf('current'))
    }
    await expect(change()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await users.find('alice'))?.passwordHash).toBe(CURRENT)
    expect(parts.logins.kept).toEqual([['throttled', HERE]])
  })

  it('B31 does not count an invalid new password, because the current one is not verified', async () => {
    for (let guess = 0; guess < 5; guess++) await expect(change({ current: 'wrong', new: 'short' })).rejects.toThrow()
    await change()
  })

  it('is 403 for an account of another store', async () => {
    await expect(change({}, 'ldap:entry-1')).rejects.toMatchObject({ code: 'PASSWORD_ELSEWHERE', status: 403 })
  })

  it('B32 is 400 for the right password of another account with the name of the account', async () => {
    parts = { ...parts, users: new MemoryUsers({ ...ALICE, id: 'id-2' }) }
    await expect(change({}, 'id-2')).rejects.toMatchObject(refusalOf('current'))
  })

  it('is 503 without a change when the logins of the account end in the meantime', async () => {
    const { hash } = parts
    parts.hash = async (text) => {
      users.change('alice', { passwordHash: 'h', validAfter: new Date(START.getTime() + 1) })
      return hash(text)
    }
    await expect(change()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await users.find('alice'))?.passwordHash).toBe('h')
  })
})
