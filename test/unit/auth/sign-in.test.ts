import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseAccounts } from '../../../lib/auth/accounts.ts'
import { createLoginFailures, type FailureLimits } from '../../../lib/auth/login-failures.ts'
import { hashPassword } from '../../../lib/auth/password.ts'
import { type Attempt, type SignInParts, signIn } from '../../../lib/auth/sign-in.ts'
import { verifiedCredentials } from '../../../lib/auth/verified-credentials.ts'
import type { User } from '../../../lib/users/user.ts'
import { answering, DATABASE_ACCOUNT } from '../../support/fakes/accounts.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { MemoryCounters } from '../../support/fakes/counters.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const PASSWORD = 'correct horse'
const OUTDATED = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'
const DEFAULTS: FailureLimits = { perUser: 10, perAddress: 100, windowSeconds: 300 }

let passwordHash = ''
let clock = fixedClock()

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(() => {
  clock = fixedClock()
})

function alice(changes: Partial<User> = {}): User {
  return { id: 'id-1', username: 'Alice', passwordHash, roles: ['ROLE_USER'], enabled: true, ...changes }
}

function partsOf(users: MemoryUsers): SignInParts {
  return {
    accounts: databaseAccounts(users),
    failures: createLoginFailures(new MemoryCounters(), DEFAULTS, clock),
    log: recordingLog(),
  }
}

function login(users: MemoryUsers, username: string, password: string, attempt: Attempt = 'Login') {
  return signIn(partsOf(users), { username, password, address: HERE }, attempt)
}

describe('signIn', () => {
  it('gives the user as stored and the role from the user store', async () => {
    expect(await login(new MemoryUsers(alice()), 'Alice', PASSWORD)).toEqual({
      username: 'Alice',
      roles: ['ROLE_USER'],
      authType: 'JDBC',
      principalType: 'DatabaseUser',
      userId: 'id-1',
    })
  })

  it('is told to the log with the name as stored when it succeeds, and without one when it does not', async () => {
    const log = recordingLog()
    const parts = { ...partsOf(new MemoryUsers(alice())), log }
    await signIn(parts, { username: 'ALICE', password: PASSWORD, address: HERE }, 'Login')
    await signIn(parts, { username: PASSWORD, password: 'wrong', address: HERE }, 'Login').catch(() => {})
    expect(log.entries).toEqual([
      { level: 'info', message: 'signed in', fields: { attempt: 'Login', username: 'Alice', authType: 'JDBC' } },
    ])
  })

  it('never takes the role from the user name', async () => {
    const users = new MemoryUsers(alice({ username: 'admin' }))
    expect((await login(users, 'admin', PASSWORD)).roles).toEqual(['ROLE_USER'])
  })

  it('gives both roles to a user with both roles', async () => {
    const users = new MemoryUsers(alice({ roles: ['ROLE_USER', 'ROLE_ADMIN'] }))
    expect((await login(users, 'Alice', PASSWORD)).roles).toEqual(['ROLE_USER', 'ROLE_ADMIN'])
  })

  it.each(['alice', 'ALICE', 'aLiCe'])('finds the user by the name in any case: %s', async (name) => {
    expect((await login(new MemoryUsers(alice()), name, PASSWORD)).username).toBe('Alice')
  })

  it.each([
    ['an unknown name', 'Bob', PASSWORD, {}],
    ['a wrong password', 'Alice', 'wrong horse', {}],
    ['an empty password', 'Alice', '', {}],
    ['a disabled user', 'Alice', PASSWORD, { enabled: false }],
    ['a name that no user can have', 'a'.repeat(10_000), PASSWORD, {}],
  ])('answers %s with the identical error', async (_, name, password, changes) => {
    for (const attempt of ['Login', 'Basic Authentication'] as const) {
      await expect(login(new MemoryUsers(alice(changes)), name, password, attempt)).rejects.toMatchObject({
        code: 'BAD_CREDENTIALS',
        message: 'Invalid username or password',
        details: { authType: attempt, reason: 'Bad credentials' },
      })
    }
  })

  it.each([['a'.repeat(10_000)], [''], ['a'.repeat(257)]])(
    'never asks the store for a name that no user can have',
    async (name) => {
      const users = new MemoryUsers(alice())
      await expect(login(users, name, PASSWORD)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
      expect(users.asked).toEqual([])
    },
  )

  it('passes on that the store is down', async () => {
    const users = new MemoryUsers(alice())
    users.isDown = true
    await expect(login(users, 'Alice', PASSWORD)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('rehash on login', () => {
  it('happens when the parameters changed', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED }))
    await login(users, 'alice', PASSWORD)
    const { passwordHash: replaced = '' } = (await users.find('Alice')) ?? {}
    expect(replaced).toContain('$m=19456,t=2,p=1$')
    expect(await login(users, 'alice', PASSWORD)).toMatchObject({ username: 'Alice', roles: ['ROLE_USER'] })
  })

  it.each([
    ['the password is wrong', OUTDATED, 'wrong horse', true],
    ['the user is disabled', OUTDATED, PASSWORD, false],
  ])('does not happen when %s', async (_, stored, password, enabled) => {
    const users = new MemoryUsers(alice({ passwordHash: stored, enabled }))
    await expect(login(users, 'Alice', password)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    expect((await users.find('Alice'))?.passwordHash).toBe(stored)
  })

  it('does not happen while the hash is current', async () => {
    const users = new MemoryUsers(alice())
    await login(users, 'Alice', PASSWORD)
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
    await login(users, 'Alice', PASSWORD)
    expect((await find('Alice'))?.passwordHash).toBe('set by a password change')
  })
})

/** Knows one password without the cost of a hash, so that many tries can be told apart from few. */
function guessing(limits: Partial<FailureLimits> = {}) {
  const counters = new MemoryCounters()
  const right = answering(DATABASE_ACCOUNT)
  const wrong = answering('refused')
  const parts: SignInParts = {
    accounts: { check: (name, password) => (password === PASSWORD ? right : wrong).check(name, password) },
    failures: createLoginFailures(counters, { ...DEFAULTS, ...limits }, clock),
    log: recordingLog(),
  }
  const attempt = async (password: string, username = 'alice', address = HERE): Promise<string> => {
    try {
      return (await signIn(parts, { username, password, address }, 'Login')).username
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const failTimes = async (times: number, ...where: [username?: string, address?: string]) => {
    for (let count = 0; count < times; count += 1) await attempt('wrong', ...where)
  }
  return { parts, counters, wrong, right, attempt, failTimes }
}

describe('brute force', () => {
  it('gets 10 failures per user name and address, then 429, and nothing is checked any more', async () => {
    const { attempt, failTimes, wrong } = guessing()
    await failTimes(9)
    expect(await attempt('wrong')).toBe('BAD_CREDENTIALS')
    expect(await attempt('wrong')).toBe('TOO_MANY_REQUESTS')
    expect(wrong.asked).toHaveLength(10)
  })

  it('B10 is refused with the right password too while it is blocked', async () => {
    const { attempt, failTimes, right } = guessing()
    await failTimes(10)
    expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    expect(right.asked).toEqual([])
  })

  it('B06 leaves the owner at another address and the other users alone', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(10)
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
    expect(await attempt(PASSWORD, 'bob')).toBe('Alice')
  })

  it('counts a name in any case as one', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(5, 'alice')
    await failTimes(5, 'ALICE')
    expect(await attempt(PASSWORD, 'Alice')).toBe('TOO_MANY_REQUESTS')
  })

  it('B08 gets 100 failures per address, whatever the names', async () => {
    const { attempt, failTimes } = guessing()
    for (let user = 0; user < 20; user += 1) await failTimes(5, `user-${user}`)
    expect(await attempt(PASSWORD, 'alice')).toBe('TOO_MANY_REQUESTS')
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
  })

  it('is told in Retry-After when the window ends', async () => {
    const { parts, failTimes } = guessing()
    await failTimes(10)
    const again = () => signIn(parts, { username: 'alice', password: 'wrong', address: HERE }, 'Login')
    // 03:04:05 lies 245 seconds into its window of five minutes.
    await expect(again()).rejects.toMatchObject({ details: { retryAfterSeconds: 55 } })
    clock.advance(54_500)
    await expect(again()).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } })
  })

  it('may go on in the next window', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(10)
    clock.advance(55_000)
    expect(await attempt('wrong')).toBe('BAD_CREDENTIALS')
    expect(await attempt(PASSWORD)).toBe('Alice')
  })

  it("is forgiven by a success: the user's count, not the address's", async () => {
    const { attempt, failTimes } = guessing({ perAddress: 18 })
    await failTimes(9)
    expect(await attempt(PASSWORD)).toBe('Alice')
    await failTimes(9)
    expect(await attempt(PASSWORD, 'bob')).toBe('TOO_MANY_REQUESTS')
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
  })

  it('costs a success no write where there is nothing to forgive', async () => {
    const failures = createLoginFailures(new MemoryCounters(), DEFAULTS, clock)
    const cleared: string[] = []
    const clear = async (username: string) => void cleared.push(username)
    const parts = { accounts: answering(DATABASE_ACCOUNT), failures: { ...failures, clear }, log: recordingLog() }
    const attempt = () => signIn(parts, { username: 'alice', password: PASSWORD, address: HERE }, 'Login')
    await attempt()
    expect(cleared).toEqual([])
    await failures.record('alice', HERE)
    await attempt()
    expect(cleared).toEqual(['alice'])
  })

  it('is let through where the limits are 0', async () => {
    const { attempt, failTimes } = guessing({ perUser: 0, perAddress: 0 })
    await failTimes(150)
    expect(await attempt('wrong')).toBe('BAD_CREDENTIALS')
    expect(await attempt(PASSWORD)).toBe('Alice')
  })

  it('B09 gets no more tries when they come all at once', async () => {
    const { attempt } = guessing()
    const codes = await Promise.all(Array.from({ length: 50 }, () => attempt('wrong')))
    expect(codes.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(10)
  })

  it('B10 finds out nothing while it is blocked, not even a password that was right a moment ago', async () => {
    const users = new MemoryUsers(alice())
    const verified = verifiedCredentials(clock, 60)
    const parts: SignInParts = { ...partsOf(users), accounts: databaseAccounts(users, verified) }
    const attempt = (password: string, address: string) =>
      signIn(parts, { username: 'alice', password, address }, 'Basic Authentication')
    await attempt(PASSWORD, ELSEWHERE)
    for (let count = 0; count < 10; count += 1) await parts.failures.record('alice', HERE)
    await expect(attempt('wrong horse', HERE)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(attempt(PASSWORD, HERE)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('costs 503 while the counters cannot be read', async () => {
    const { attempt, counters } = guessing()
    counters.isDown = true
    expect(await attempt(PASSWORD)).toBe('UNAVAILABLE')
  })

  it('is not counted where the store of users could not answer', async () => {
    const users = new MemoryUsers(alice())
    const counters = new MemoryCounters()
    const failures = createLoginFailures(counters, DEFAULTS, clock)
    users.isDown = true
    const parts = { accounts: databaseAccounts(users), failures, log: recordingLog() }
    await expect(signIn(parts, { username: 'a', password: 'b', address: HERE }, 'Login')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(counters.counts.size).toBe(0)
  })
})

describe('a right password that is remembered', () => {
  it('is not checked again', async () => {
    const refusing = answering('refused')
    const parts: SignInParts = {
      accounts: { ...refusing, recall: async () => DATABASE_ACCOUNT },
      failures: createLoginFailures(new MemoryCounters(), DEFAULTS, clock),
      log: recordingLog(),
    }
    const credentials = { username: 'alice', password: PASSWORD, address: HERE }
    expect(await signIn(parts, credentials, 'Basic Authentication')).toBe(DATABASE_ACCOUNT)
    expect(refusing.asked).toEqual([])
  })

  it('is let in again', async () => {
    const users = new MemoryUsers(alice())
    const counters = new MemoryCounters()
    const parts: SignInParts = {
      accounts: databaseAccounts(users, verifiedCredentials(clock, 60)),
      failures: createLoginFailures(counters, DEFAULTS, clock),
      log: recordingLog(),
    }
    const attempt = () =>
      signIn(parts, { username: 'alice', password: PASSWORD, address: HERE }, 'Basic Authentication')
    await attempt()
    expect(await attempt()).toMatchObject({ username: 'Alice' })
  })
})
