import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Accounts, anyAccount, databaseAccounts, eitherAccounts, loginNotes } from '../../../lib/auth/accounts.ts'
import type { FailureLimits } from '../../../lib/auth/login-counts.ts'
import { createLoginFailures } from '../../../lib/auth/login-failures.ts'
import { hashPassword } from '../../../lib/auth/password.ts'
import { createSignIn, type LoginLabel, type SignInParts } from '../../../lib/auth/sign-in.ts'
import { tokenHolder } from '../../../lib/auth/token-holder.ts'
import { verifiedCredentials } from '../../../lib/auth/verified-credentials.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { User } from '../../../lib/users/user.ts'
import { answering, DATABASE_ACCOUNT } from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounters } from '../../support/fakes/counters.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { recordingLogins } from '../../support/fakes/trail.ts'
import { MemoryUsers } from '../../support/fakes/users.ts'

const PASSWORD = 'correct horse'
const OUTDATED = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const DEFAULTS: FailureLimits = { perUser: 10, perAddress: 100, perName: 100, windowSeconds: 300 }

let passwordHash = ''
let clock = fixedClock()

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(() => {
  clock = fixedClock()
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

function partsOf(accounts: Accounts, counters = new MemoryCounters(), limits: Partial<FailureLimits> = {}) {
  return {
    accounts,
    failures: createLoginFailures(counters, { ...DEFAULTS, ...limits }, clock),
    logins: recordingLogins(),
    log: recordingLog(),
    metrics: recordingMetrics(),
  } satisfies SignInParts
}

function login(users: MemoryUsers, username: string, password: string, attempt: LoginLabel = 'Login') {
  const signIn = createSignIn(partsOf(databaseAccounts(users)))
  return signIn({ username, password, address: HERE, method: 'token' }, attempt, anyAccount)
}

describe('signIn', () => {
  it('gives the user as stored and the role from the user store', async () => {
    expect(await login(new MemoryUsers(alice()), 'Alice', PASSWORD)).toEqual({
      username: 'Alice',
      roles: ['ROLE_USER'],
      authType: 'JDBC',
      principalType: 'DatabaseUser',
      uid: 'id-1',
    })
  })

  it('is told to the log with the name as stored when it succeeds, and without one when it does not', async () => {
    const parts = partsOf(databaseAccounts(new MemoryUsers(alice())))
    const signIn = createSignIn(parts)
    await signIn({ username: 'ALICE', password: PASSWORD, address: HERE, method: 'token' }, 'Login', anyAccount)
    await signIn({ username: PASSWORD, password: 'wrong', address: HERE, method: 'token' }, 'Login', anyAccount).catch(
      () => {},
    )
    expect(parts.log.entries).toEqual([
      { level: 'info', message: 'signed in', fields: { attempt: 'Login', username: 'Alice', authType: 'JDBC' } },
    ])
  })

  it('A02 is recorded with who it was, and a refusal with the name as it was typed', async () => {
    const parts = partsOf(databaseAccounts(new MemoryUsers(alice())))
    const signIn = createSignIn(parts)
    const credentials = { username: 'ALICE', password: PASSWORD, address: HERE }
    await signIn({ ...credentials, method: 'form' }, 'Login', anyAccount)
    for (const refused of [{ username: 'Nobody' }, { password: 'wrong' }]) {
      await signIn({ ...credentials, ...refused, method: 'basic' }, 'Basic Authentication', anyAccount).catch(() => {})
    }
    await signIn({ ...credentials, method: 'token' }, 'Login', () => undefined).catch(() => {})
    expect(parts.logins.recorded).toEqual([
      ['accepted', expect.objectContaining({ uid: 'id-1', username: 'Alice', authType: 'JDBC' }), 'form', HERE],
      ['refused', 'Nobody', 'basic', HERE],
      ['refused', 'ALICE', 'basic', HERE],
      ['refused', 'ALICE', 'token', HERE],
    ])
  })

  it('A03 is recorded no more once it is throttled: strangers do not fill the trail', async () => {
    const parts = partsOf(answering('refused'))
    const signIn = createSignIn(parts)
    for (let guess = 0; guess < 30; guess++) {
      const credentials = { username: 'alice', password: `guess ${guess}`, address: HERE, method: 'token' } as const
      await signIn(credentials, 'Login', anyAccount).catch(() => {})
    }
    expect(parts.logins.recorded).toHaveLength(DEFAULTS.perUser)
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
      await users.replacePasswordHash(found?.id ?? '', OUTDATED, 'set by a password change')
      return found
    }
    await login(users, 'Alice', PASSWORD)
    expect((await find('Alice'))?.passwordHash).toBe('set by a password change')
  })
})

/** Knows one password without the cost of a hash, so that many tries can be told apart from few. */
function guessing(limits: Partial<FailureLimits> = {}, account = DATABASE_ACCOUNT) {
  const counters = new MemoryCounters()
  const right = answering(account)
  const wrong = answering('refused')
  const check: Accounts['check'] = (name, password) => (password === PASSWORD ? right : wrong).check(name, password)
  const parts = partsOf({ check }, counters, limits)
  const signIn = createSignIn(parts)
  const attempt = async (password: string, username = 'alice', address = HERE): Promise<string> => {
    try {
      return (await signIn({ username, password, address, method: 'token' }, 'Login', tokenHolder)).username
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const waitOf = async (password: string, username = 'alice', address = HERE) => {
    const refused = signIn({ username, password, address, method: 'token' }, 'Login', anyAccount)
    return refused.then(
      () => undefined,
      (error: { details: { retryAfterSeconds?: number } }) => error.details.retryAfterSeconds,
    )
  }
  const failTimes = async (times: number, ...where: [username?: string, address?: string]) => {
    for (let count = 0; count < times; count += 1) expect(await attempt('wrong', ...where)).toBe('BAD_CREDENTIALS')
  }
  return { parts, counters, wrong, right, attempt, waitOf, failTimes }
}

describe('brute force', () => {
  it('gets 10 failures per user name and address, then 429, and nothing is checked any more', async () => {
    const { attempt, failTimes, wrong } = guessing()
    await failTimes(10)
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

  it('B26 gets 100 failures per user name, from however many addresses', async () => {
    const { attempt, failTimes, right } = guessing()
    for (let address = 0; address < 50; address += 1) await failTimes(2, 'alice', `198.51.100.${address}`)
    expect(await attempt(PASSWORD, 'ALICE')).toBe('TOO_MANY_REQUESTS')
    expect(right.asked).toEqual([])
    expect(await attempt(PASSWORD, 'bob')).toBe('Alice')
  })

  it('B26 keeps nobody out of an address that logged in as that user within 30 days', async () => {
    const { attempt, failTimes, wrong } = guessing({ perName: 20 })
    expect(await attempt(PASSWORD)).toBe('Alice')
    clock.advance(29 * DAY)
    await failTimes(10, 'alice', '198.51.100.1')
    await failTimes(10, 'alice', '198.51.100.2')
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('TOO_MANY_REQUESTS')
    await failTimes(9)
    expect(await attempt(PASSWORD)).toBe('Alice')
    await failTimes(10)
    expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    expect(wrong.asked).toHaveLength(39)
  })

  it.each([
    ['29 days and 23 hours', 30 * DAY - HOUR, 'Alice'],
    ['30 days', 30 * DAY, 'TOO_MANY_REQUESTS'],
  ])('B26 after %s the address is let in or not', async (_, later, expected) => {
    const { attempt, failTimes } = guessing({ perName: 10 })
    await attempt(PASSWORD)
    clock.advance(later)
    await failTimes(10, 'alice', ELSEWHERE)
    expect(await attempt(PASSWORD)).toBe(expected)
  })

  it('is told in Retry-After when there is room for one more', async () => {
    const { waitOf, failTimes } = guessing()
    await failTimes(10)
    // 03:04:05 is 55 seconds before the end of its window; in the next one ten weigh nine after another 30.
    expect(await waitOf('wrong')).toBe(85)
    clock.advance(54_500)
    expect(await waitOf('wrong')).toBe(31)
    clock.advance(30_499)
    expect(await waitOf('wrong')).toBe(1)
  })

  it('may go on as fast as its failures are a window ago', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(10)
    for (let places = 0; places < 3; places += 1) {
      clock.advance(places === 0 ? 85_000 : 30_000)
      await failTimes(1)
      expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    }
    clock.advance(30_000)
    expect(await attempt(PASSWORD)).toBe('Alice')
  })

  it('B25 gets no other ten failures on the other side of the border between two windows', async () => {
    const { attempt, failTimes } = guessing()
    clock.advance(54_999)
    await failTimes(10)
    clock.advance(1)
    expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
  })

  it('B25 gets no 104 failures from one address around the border', async () => {
    const { attempt } = guessing()
    const codes: string[] = []
    clock.advance(54_000)
    for (let guess = 0; guess < 104; guess += 1) {
      if (guess === 52) clock.advance(1000)
      codes.push(await attempt('wrong', `user-${guess}`))
    }
    expect(codes.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(100)
    expect(codes.slice(100)).toEqual(Array(4).fill('TOO_MANY_REQUESTS'))
  })

  it("is forgiven by a success: the user's count, not the address's", async () => {
    const { attempt, failTimes } = guessing({ perAddress: 18 })
    await failTimes(9)
    expect(await attempt(PASSWORD)).toBe('Alice')
    await failTimes(9)
    expect(await attempt(PASSWORD, 'bob')).toBe('TOO_MANY_REQUESTS')
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
  })

  it('is forgiven what it failed in the window before, too', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(9)
    clock.advance(55_000)
    expect(await attempt(PASSWORD)).toBe('Alice')
    await failTimes(9)
    expect(await attempt(PASSWORD)).toBe('Alice')
  })

  it('is let through where the limits are 0, and costs nothing', async () => {
    const { attempt, failTimes, counters } = guessing({ perUser: 0, perAddress: 0, perName: 0 })
    await failTimes(150)
    expect(await attempt('wrong')).toBe('BAD_CREDENTIALS')
    expect(await attempt(PASSWORD)).toBe('Alice')
    expect(counters.asked).toEqual({ read: 0, take: 0, giveBack: 0, set: 0, remove: 0 })
  })

  it('B09 gets no more tries when they come all at once, and the right password is one of them', async () => {
    const { parts, attempt, right, wrong } = guessing()
    const passwords = Array.from({ length: 60 }, (_, guess) => (guess === 46 ? PASSWORD : `wrong ${guess}`))
    const codes = await Promise.all(passwords.map((password) => attempt(password)))
    expect(right.asked.length + wrong.asked.length).toBe(10)
    expect(codes[46]).toBe('TOO_MANY_REQUESTS')
    expect(codes.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(10)
    expect(parts.metrics.counted.filter(([name]) => name === 'LoginThrottled')).toHaveLength(50)
  })

  it('B09 gets no more tries by a right one among the first ten', async () => {
    const { attempt, right, wrong } = guessing()
    const passwords = Array.from({ length: 60 }, (_, guess) => (guess === 4 ? PASSWORD : `wrong ${guess}`))
    const codes = await Promise.all(passwords.map((password) => attempt(password)))
    expect(right.asked.length + wrong.asked.length).toBe(10)
    expect(codes[4]).toBe('Alice')
    expect(await attempt('wrong')).toBe('TOO_MANY_REQUESTS')
  })

  it('B09 gets no more tries when they come all at once from one address for many names', async () => {
    const { attempt, wrong } = guessing()
    const codes = await Promise.all(Array.from({ length: 150 }, (_, guess) => attempt('wrong', `user-${guess}`)))
    expect(wrong.asked).toHaveLength(100)
    expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(50)
  })

  it('B10 finds out nothing while it is blocked, not even a password that was right a moment ago', async () => {
    const accounts = databaseAccounts(new MemoryUsers(alice()), verifiedCredentials(clock, 60))
    const signIn = createSignIn(partsOf(accounts))
    const attempt = (password: string, address: string) =>
      signIn({ username: 'alice', password, address, method: 'token' }, 'Basic Authentication', anyAccount)
    await attempt(PASSWORD, ELSEWHERE)
    for (let count = 0; count < 10; count += 1) {
      await expect(attempt(`wrong ${count}`, HERE)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    }
    await expect(attempt('wrong horse', HERE)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(attempt(PASSWORD, HERE)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('B27 is not forgiven by the right password of somebody for whom no token can be made', async () => {
    const { attempt, failTimes, right } = guessing({}, { ...DATABASE_ACCOUNT, roles: [] })
    await failTimes(8)
    expect(await attempt(PASSWORD)).toBe('BAD_CREDENTIALS')
    await failTimes(1)
    expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    expect(right.asked).toHaveLength(1)
  })

  it('B27 counts that password each time, though it is remembered', async () => {
    const users = new MemoryUsers(alice({ roles: [] }))
    const signIn = createSignIn(
      partsOf(databaseAccounts(users, verifiedCredentials(clock, 60)), undefined, { perUser: 2 }),
    )
    const attempt = () =>
      signIn({ username: 'alice', password: PASSWORD, address: HERE, method: 'token' }, 'Login', tokenHolder)
    for (const code of ['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'TOO_MANY_REQUESTS']) {
      await expect(attempt()).rejects.toMatchObject({ code })
    }
  })

  it('costs 503 while the counters cannot be read', async () => {
    const { attempt, counters, right } = guessing()
    counters.isDown = true
    expect(await attempt(PASSWORD)).toBe('UNAVAILABLE')
    expect(right.asked).toEqual([])
  })

  it('is not counted where the store of users could not answer', async () => {
    const users = new MemoryUsers(alice())
    const counters = new MemoryCounters()
    users.isDown = true
    const signIn = createSignIn(partsOf(databaseAccounts(users), counters))
    const attempt = () =>
      signIn({ username: 'alice', password: PASSWORD, address: HERE, method: 'token' }, 'Login', anyAccount)
    for (let count = 0; count < 11; count += 1) await expect(attempt()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([...counters.counts.values()]).toEqual([0, 0, 0])
    users.isDown = false
    expect(await attempt()).toMatchObject({ username: 'Alice' })
  })

  it('B05 is counted where only the database could answer, for a name that it knows and for any other', async () => {
    const directory = answering(unavailable(new Error('down')))
    const accounts = eitherAccounts(databaseAccounts(new MemoryUsers(alice())), directory)
    const signIn = createSignIn(partsOf(accounts, undefined, { perUser: 3 }))
    const attempt = (username: string, password: string) =>
      signIn({ username, password, address: HERE, method: 'token' }, 'Login', anyAccount).catch(({ code }) => code)
    for (const username of ['alice', 'nobody']) {
      const codes: string[] = []
      for (let guess = 0; guess < 4; guess += 1) codes.push(await attempt(username, `wrong ${guess}`))
      expect(codes, username).toEqual([...Array(3).fill('UNAVAILABLE'), 'TOO_MANY_REQUESTS'])
    }
    expect(await attempt('alice', PASSWORD)).toBe('TOO_MANY_REQUESTS')
  })

  it('is counted in numbers that name nobody: what failed, and who had to wait', async () => {
    const { parts, attempt } = guessing({ perUser: 1 })
    await attempt(PASSWORD)
    await attempt('wrong')
    await attempt('wrong')
    expect(parts.metrics.counted).toEqual([
      ['LoginFailed', {}],
      ['LoginThrottled', {}],
    ])
  })
})

describe('the requests to the counters', () => {
  const NONE = { read: 0, take: 0, giveBack: 0, set: 0, remove: 0 }

  function counting(accounts: Accounts) {
    const counters = new MemoryCounters()
    const signIn = createSignIn(partsOf(accounts, counters))
    return async () => {
      Object.assign(counters.asked, NONE)
      const credentials = { username: 'alice', password: PASSWORD, address: HERE, method: 'token' } as const
      await signIn(credentials, 'Basic Authentication', anyAccount).catch(() => {})
      return { ...counters.asked }
    }
  }

  it('of the first right password from an address remember that for 30 days, and of the others do so once a day', async () => {
    const costOf = counting(answering(DATABASE_ACCOUNT))
    expect(await costOf()).toEqual({ read: 1, take: 3, giveBack: 2, set: 1, remove: 1 })
    const ordinary = { read: 1, take: 2, giveBack: 1, set: 0, remove: 1 }
    expect(await costOf()).toEqual(ordinary)
    clock.advance(DAY - 1)
    expect(await costOf()).toEqual(ordinary)
    clock.advance(1)
    expect(await costOf()).toEqual({ ...ordinary, set: 1 })
  })

  it('of a password that is remembered are one', async () => {
    const costOf = counting(databaseAccounts(new MemoryUsers(alice()), verifiedCredentials(clock, 60)))
    await costOf()
    expect(await costOf()).toEqual({ ...NONE, read: 1 })
  })

  it('of a wrong password are four, and of one that is refused unseen one', async () => {
    const costOf = counting(answering('refused'))
    for (let count = 0; count < 10; count += 1) expect(await costOf()).toEqual({ ...NONE, read: 1, take: 3 })
    expect(await costOf()).toEqual({ ...NONE, read: 1 })
  })
})

describe('a right password that is remembered', () => {
  it('is not checked again', async () => {
    const refusing = answering('refused')
    const parts = partsOf({ ...refusing, recall: async () => DATABASE_ACCOUNT })
    const signIn = createSignIn(parts)
    const credentials = { username: 'alice', password: PASSWORD, address: HERE, method: 'basic' } as const
    expect(await signIn(credentials, 'Basic Authentication', anyAccount)).toBe(DATABASE_ACCOUNT)
    expect(refusing.asked).toEqual([])
    expect(parts.logins.recorded).toEqual([])
    await signIn({ ...credentials, method: 'token' }, 'Login', anyAccount)
    expect(parts.logins.recorded).toEqual([['accepted', DATABASE_ACCOUNT, 'token', HERE]])
  })

  it('is let in again', async () => {
    const signIn = createSignIn(partsOf(databaseAccounts(new MemoryUsers(alice()), verifiedCredentials(clock, 60))))
    const attempt = () =>
      signIn(
        { username: 'alice', password: PASSWORD, address: HERE, method: 'token' },
        'Basic Authentication',
        anyAccount,
      )
    await attempt()
    expect(await attempt()).toMatchObject({ username: 'Alice' })
  })
})

describe('a right password that comes many times at once', () => {
  const RIGHT = { username: 'alice', password: PASSWORD, address: HERE, method: 'token' } as const

  it('is checked once, and lets in all of them', async () => {
    const right = answering(DATABASE_ACCOUNT)
    const counters = new MemoryCounters()
    const signIn = createSignIn(partsOf(right, counters))
    const calls = Array.from({ length: 50 }, () => signIn(RIGHT, 'Basic Authentication', anyAccount))
    expect(await Promise.all(calls)).toEqual(Array(50).fill(DATABASE_ACCOUNT))
    expect(right.asked).toHaveLength(1)
    expect(counters.asked.take).toBe(3)
  })

  it('at instances that know nothing of each other, blocks nobody once it is checked', async () => {
    const counters = new MemoryCounters()
    const instance = () => createSignIn(partsOf(answering(DATABASE_ACCOUNT), counters))
    const calls = Array.from({ length: 50 }, () => instance()(RIGHT, 'Basic Authentication', anyAccount))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const again = Array.from({ length: 10 }, () => instance()(RIGHT, 'Basic Authentication', anyAccount))
    expect(await Promise.all(again)).toHaveLength(10)
  })

  it.each([
    ['another password', { password: 'wrong' }],
    ['another name', { username: 'bob' }],
    ['another address', { address: ELSEWHERE }],
  ])('says nothing of %s', async (_, changes) => {
    const asked: string[] = []
    const check: Accounts['check'] = async (username, password) => {
      asked.push(password)
      return username === 'alice' && password === PASSWORD ? DATABASE_ACCOUNT : 'refused'
    }
    const signIn = createSignIn(partsOf({ check }))
    const calls = [RIGHT, { ...RIGHT, ...changes }].map((call) => signIn(call, 'Login', anyAccount))
    await Promise.allSettled(calls)
    expect(asked).toHaveLength(2)
  })

  it.each<[string, Accounts['check']]>([
    ['refused', async () => 'refused'],
    [
      'not checked',
      async () => {
        throw unavailable(new Error('the store is down'))
      },
    ],
  ])('is checked by each call when it was %s for another', async (_, check) => {
    let checks = 0
    const counted: Accounts['check'] = (...call) => {
      checks += 1
      return check(...call)
    }
    const signIn = createSignIn(partsOf({ check: counted }))
    await Promise.allSettled([1, 2, 3].map(() => signIn(RIGHT, 'Login', anyAccount)))
    expect(checks).toBe(3)
  })
})

describe('the time of a login', () => {
  function signInWith(noteLogin: Accounts['noteLogin'], users = new MemoryUsers(alice())) {
    const verified = verifiedCredentials(clock, 60)
    const parts = partsOf({ ...databaseAccounts(users, verified), ...(noteLogin && { noteLogin }) })
    return { parts, users, signIn: createSignIn(parts) }
  }

  const right = { username: 'alice', password: PASSWORD, address: HERE, method: 'token' } as const

  it('is kept of a password that was checked, once for calls that share the check, and of none that is remembered', async () => {
    const users = new MemoryUsers(alice())
    const noted: Date[] = []
    const note = loginNotes({ noteLogin: async (_, at) => void noted.push(at) }, clock)
    const { signIn } = signInWith(note, users)
    await Promise.all([1, 2, 3].map(() => signIn(right, 'Basic Authentication', anyAccount)))
    await signIn(right, 'Basic Authentication', anyAccount)
    expect(noted).toEqual([START])
  })

  it('is kept of no wrong password, and of no account that is good for nothing', async () => {
    const noted: string[] = []
    const { signIn } = signInWith(async ({ uid }) => void noted.push(uid))
    await signIn({ ...right, password: 'wrong' }, 'Login', anyAccount).catch(() => {})
    await signIn(right, 'Login', () => undefined).catch(() => {})
    expect(noted).toEqual([])
  })

  it('is no reason to refuse a login where it cannot be kept, and the log says so', async () => {
    const cause = unavailable(new Error('down'))
    const { parts, signIn } = signInWith(() => Promise.reject(cause))
    expect(await signIn(right, 'Login', anyAccount)).toMatchObject({ username: 'Alice' })
    expect(parts.log.of('the time of a login was not kept')).toEqual([{ cause }])
  })

  it.each(['ldap:entry-1', 'google:17'])('has no place for an account of another store: %s', async (uid) => {
    const noted: string[] = []
    const note = loginNotes({ noteLogin: async (id) => void noted.push(id) }, clock)
    await note({ ...DATABASE_ACCOUNT, uid })
    await note(DATABASE_ACCOUNT)
    expect(noted).toEqual(['id-1'])
  })
})
