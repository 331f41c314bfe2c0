import { beforeEach, describe, expect, it } from 'vitest'
import { tokenHolder } from '../../../lib/auth/account-gate.ts'
import {
  type Accounts,
  anyAccount,
  databaseAccounts,
  eitherAccounts,
  loginNotes,
  type VerifiedCredentials,
  verifiedCredentials,
} from '../../../lib/auth/accounts.ts'
import type { FailureLimits } from '../../../lib/auth/login-failures.ts'
import { createLoginFailures } from '../../../lib/auth/login-failures.ts'
import { hashPassword } from '../../../lib/auth/password.ts'
import { createSignIn, type LoginLabel, type SignInParts } from '../../../lib/auth/sign-in.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { User } from '../../../lib/users/user.ts'
import { answering, DATABASE_ACCOUNT, PLAIN_PASSWORDS } from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'
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

let clock = fixedClock()

beforeEach(() => {
  clock = fixedClock()
})

function alice(changes: Partial<User> = {}): User {
  return {
    id: 'id-1',
    username: 'Alice',
    passwordHash: PASSWORD,
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: START,
    ...changes,
  }
}

function partsOf(accounts: Accounts, counters = new MemoryCounter(), limits: Partial<FailureLimits> = {}) {
  return {
    accounts,
    failures: createLoginFailures(counters, { ...DEFAULTS, ...limits }, clock),
    logins: recordingLogins(),
    log: recordingLog(),
    metrics: recordingMetrics(),
  } satisfies SignInParts
}

function plainAccounts(users: MemoryUsers, verified?: VerifiedCredentials): Accounts {
  return databaseAccounts(users, verified, PLAIN_PASSWORDS)
}

function login(
  users: MemoryUsers,
  username: string,
  password: string,
  attempt: LoginLabel = 'Login',
  accounts = plainAccounts(users),
) {
  const signIn = createSignIn(partsOf(accounts))
  return signIn({ username, password, address: HERE, method: 'token' }, attempt, anyAccount)
}

describe('signIn', () => {
  it('returns the user as stored and the role from the user store', async () => {
    expect(await login(new MemoryUsers(alice()), 'Alice', PASSWORD)).toEqual({
      username: 'Alice',
      roles: ['ROLE_USER'],
      authType: 'JDBC',
      principalType: 'DatabaseUser',
      uid: 'id-1',
      since: START,
    })
  })

  it('is logged with the stored name on success, and without a name on failure', async () => {
    const parts = partsOf(plainAccounts(new MemoryUsers(alice())))
    const signIn = createSignIn(parts)
    await signIn({ username: 'ALICE', password: PASSWORD, address: HERE, method: 'token' }, 'Login', anyAccount)
    await signIn({ username: PASSWORD, password: 'wrong', address: HERE, method: 'token' }, 'Login', anyAccount).catch(
      () => {},
    )
    expect(parts.log.entries).toEqual([
      { level: 'info', message: 'signed in', fields: { attempt: 'Login', username: 'Alice', authType: 'JDBC' } },
    ])
  })

  it('A02 with HTTP Basic is recorded with the user, and a refusal with the typed name', async () => {
    const parts = partsOf(plainAccounts(new MemoryUsers(alice())))
    const signIn = createSignIn(parts)
    const credentials = { username: 'ALICE', password: PASSWORD, address: HERE }
    await signIn({ ...credentials, method: 'basic' }, 'Basic Authentication', anyAccount)
    for (const refused of [{ username: 'Nobody' }, { password: 'wrong' }]) {
      await signIn({ ...credentials, ...refused, method: 'basic' }, 'Basic Authentication', anyAccount).catch(() => {})
    }
    await signIn({ ...credentials, method: 'token' }, 'Login', () => undefined).catch(() => {})
    expect(parts.logins.kept).toEqual([
      ['accepted', expect.objectContaining({ uid: 'id-1', username: 'Alice', authType: 'JDBC' }), HERE],
      ['refused', 'Nobody', HERE],
      ['refused', 'ALICE', HERE],
      ['refused', 'ALICE', HERE],
    ])
  })

  it.each(['form', 'token'] as const)(
    'A02 by %s is recorded by who starts the session or issues the token',
    async (method) => {
      const parts = partsOf(plainAccounts(new MemoryUsers(alice())))
      await createSignIn(parts)({ username: 'alice', password: PASSWORD, address: HERE, method }, 'Login', anyAccount)
      expect(parts.logins.kept).toEqual([])
    },
  )

  it('A03 names no name where it is throttled: only the address', async () => {
    const parts = partsOf(answering('refused'))
    const signIn = createSignIn(parts)
    for (let guess = 0; guess < 30; guess++) {
      const credentials = { username: 'alice', password: `guess ${guess}`, address: HERE, method: 'token' } as const
      await signIn(credentials, 'Login', anyAccount).catch(() => {})
    }
    expect(parts.logins.kept).toEqual([
      ...Array(DEFAULTS.perUser).fill(['refused', 'alice', HERE]),
      ...Array(30 - DEFAULTS.perUser).fill(['throttled', HERE]),
    ])
  })

  it.each([
    ['an unknown name', 'Bob', PASSWORD, {}],
    ['a wrong password', 'Alice', 'wrong horse', {}],
    ['a disabled user', 'Alice', PASSWORD, { enabled: false }],
  ])('answers %s with the identical error', async (_, name, password, changes) => {
    for (const attempt of ['Login', 'Basic Authentication'] as const) {
      await expect(login(new MemoryUsers(alice(changes)), name, password, attempt)).rejects.toMatchObject({
        code: 'BAD_CREDENTIALS',
        message: 'Invalid username or password',
        details: { authType: attempt, reason: 'Bad credentials' },
      })
    }
  })

  it('never calls the store for an impossible name', async () => {
    const users = new MemoryUsers(alice())
    await expect(login(users, '', PASSWORD)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    expect(users.asked).toEqual([])
  })
})

describe('rehash on login', () => {
  const hashedLogin = (users: MemoryUsers, username: string, password: string) =>
    login(users, username, password, 'Login', databaseAccounts(users))

  it.each([
    ['the password is wrong', OUTDATED, 'wrong horse', true],
    ['the user is disabled', OUTDATED, PASSWORD, false],
  ])('does not happen when %s', async (_, stored, password, enabled) => {
    const users = new MemoryUsers(alice({ passwordHash: stored, enabled }))
    await expect(hashedLogin(users, 'Alice', password)).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    expect((await users.find('Alice'))?.passwordHash).toBe(stored)
  })

  it('does not happen while the hash is current', async () => {
    const passwordHash = await hashPassword(PASSWORD)
    const users = new MemoryUsers(alice({ passwordHash }))
    await hashedLogin(users, 'Alice', PASSWORD)
    expect((await users.find('Alice'))?.passwordHash).toBe(passwordHash)
  })

  it('keeps a hash that was replaced in the meantime', async () => {
    const users = new MemoryUsers(alice({ passwordHash: OUTDATED }))
    const find = users.find.bind(users)
    users.find = async (username) => {
      const found = await find(username)
      await users.replacePasswordHash(found?.id ?? '', OUTDATED, 'set by a password change')
      return found
    }
    await hashedLogin(users, 'Alice', PASSWORD)
    expect((await find('Alice'))?.passwordHash).toBe('set by a password change')
  })
})

/** Knows one password without the cost of a hash, so that many tries can be told apart from few. */
function guessing(limits: Partial<FailureLimits> = {}, account = DATABASE_ACCOUNT) {
  const counters = new MemoryCounter()
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
  it('B10 gets 10 failures per user name and address, then 429, and no password is verified, not even the right one', async () => {
    const { attempt, failTimes, right, wrong } = guessing()
    await failTimes(10)
    for (const password of ['wrong', PASSWORD]) expect(await attempt(password)).toBe('TOO_MANY_REQUESTS')
    expect([wrong.asked.length, right.asked]).toEqual([10, []])
  })

  it('B06 does not affect the owner at another address or other users', async () => {
    const { attempt, failTimes } = guessing()
    await failTimes(10)
    expect(await attempt(PASSWORD, 'alice', ELSEWHERE)).toBe('Alice')
    expect(await attempt(PASSWORD, 'bob')).toBe('Alice')
  })

  it.each([
    ['29 days and 23 hours', 30 * DAY - HOUR, 'Alice'],
    ['30 days', 30 * DAY, 'TOO_MANY_REQUESTS'],
  ])('B26 after %s the address is accepted or not', async (_, later, expected) => {
    const { attempt, failTimes } = guessing({ perName: 10 })
    await attempt(PASSWORD)
    clock.advance(later)
    await failTimes(10, 'alice', ELSEWHERE)
    expect(await attempt(PASSWORD)).toBe(expected)
  })

  it('gets the time of the next attempt in Retry-After', async () => {
    const { waitOf, failTimes } = guessing()
    await failTimes(10)
    // 03:04:05 is 55 seconds before the end of its window; in the next one ten weigh nine after another 30.
    expect(await waitOf('wrong')).toBe(85)
  })

  it('is allowed if the limits are 0, without any cost', async () => {
    const { attempt, failTimes, counters } = guessing({ perUser: 0, perAddress: 0, perName: 0 })
    await failTimes(150)
    expect(await attempt('wrong')).toBe('BAD_CREDENTIALS')
    expect(await attempt(PASSWORD)).toBe('Alice')
    expect(counters.asked).toEqual({ read: 0, take: 0, rollOver: 0, giveBack: 0, set: 0, remove: 0 })
  })

  it('B09 gets no more tries in parallel, and the right password counts among them', async () => {
    const { parts, attempt, right, wrong } = guessing()
    const passwords = Array.from({ length: 60 }, (_, guess) => (guess === 46 ? PASSWORD : `wrong ${guess}`))
    const codes = await Promise.all(passwords.map((password) => attempt(password)))
    expect(right.asked.length + wrong.asked.length).toBe(10)
    expect(codes[46]).toBe('TOO_MANY_REQUESTS')
    expect(codes.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(10)
    expect(parts.metrics.counted.filter(([name]) => name === 'LoginThrottled')).toHaveLength(50)
  })

  it('B10 learns nothing while it is blocked, not even about a recently right password', async () => {
    const accounts = plainAccounts(new MemoryUsers(alice()), verifiedCredentials(clock, 60))
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

  it('B27 is not reset by the right password of an account without a token', async () => {
    const { attempt, failTimes, right } = guessing({}, { ...DATABASE_ACCOUNT, roles: [] })
    await failTimes(8)
    expect(await attempt(PASSWORD)).toBe('BAD_CREDENTIALS')
    await failTimes(1)
    expect(await attempt(PASSWORD)).toBe('TOO_MANY_REQUESTS')
    expect(right.asked).toHaveLength(1)
  })

  it('B27 counts that password each time, although it is cached', async () => {
    const users = new MemoryUsers(alice({ roles: [] }))
    const signIn = createSignIn(
      partsOf(plainAccounts(users, verifiedCredentials(clock, 60)), undefined, { perUser: 2 }),
    )
    const attempt = () =>
      signIn({ username: 'alice', password: PASSWORD, address: HERE, method: 'token' }, 'Login', tokenHolder)
    for (const code of ['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'TOO_MANY_REQUESTS']) {
      await expect(attempt()).rejects.toMatchObject({ code })
    }
  })

  it.each<[string, { readonly username?: string; readonly password?: string }]>([
    ['a name of 257 units', { username: 'a'.repeat(257) }],
    ['a password of 1,025 bytes', { password: 'p'.repeat(1025) }],
  ])('is counted like any wrong one, and reaches no store, with %s', async (_, given) => {
    const accounts = answering('unknown')
    const parts = partsOf(accounts, undefined, { perUser: 2 })
    const signIn = createSignIn(parts)
    const attempt = () =>
      signIn({ username: 'alice', password: PASSWORD, address: HERE, method: 'token', ...given }, 'Login', anyAccount)
    for (const code of ['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'TOO_MANY_REQUESTS']) {
      await expect(attempt()).rejects.toMatchObject({ code })
    }
    const [username, password] = accounts.asked.map((asked) => asked.map(({ length }) => length))[0] ?? []
    expect([username, password]).toEqual([given.username ? 0 : 5, given.password ? 43 : PASSWORD.length])
  })

  it('is not counted if the user store could not answer', async () => {
    const users = new MemoryUsers(alice())
    const counters = new MemoryCounter()
    users.isDown = true
    const signIn = createSignIn(partsOf(plainAccounts(users), counters))
    const attempt = () =>
      signIn({ username: 'alice', password: PASSWORD, address: HERE, method: 'token' }, 'Login', anyAccount)
    for (let count = 0; count < 11; count += 1) await expect(attempt()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([...counters.tallies.values()].map(({ taken }) => taken)).toEqual([0, 0, 0])
    users.isDown = false
    expect(await attempt()).toMatchObject({ username: 'Alice' })
  })

  it('B05 is counted if only the database could answer, for a known name and for any other', async () => {
    const directory = answering(unavailable(new Error('down')))
    const accounts = eitherAccounts(plainAccounts(new MemoryUsers(alice())), directory)
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

  it('is counted in metrics without names: failures, and throttled calls', async () => {
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

describe('a cached right password', () => {
  it('A02 is not verified again, and leaves no row', async () => {
    const refusing = answering('refused')
    const parts = partsOf({ ...refusing, recall: async () => DATABASE_ACCOUNT })
    const signIn = createSignIn(parts)
    const credentials = { username: 'alice', password: PASSWORD, address: HERE, method: 'basic' } as const
    const known = { ...DATABASE_ACCOUNT, since: START }
    expect(await signIn(credentials, 'Basic Authentication', anyAccount)).toEqual(known)
    expect(refusing.asked).toEqual([])
    expect(parts.logins.kept).toEqual([])
  })
})

describe('a right password in many parallel calls', () => {
  const RIGHT = { username: 'alice', password: PASSWORD, address: HERE, method: 'token' } as const

  it('is verified once, and all of the calls are accepted', async () => {
    const right = answering(DATABASE_ACCOUNT)
    const counters = new MemoryCounter()
    const signIn = createSignIn(partsOf(right, counters))
    const calls = Array.from({ length: 50 }, () => signIn(RIGHT, 'Basic Authentication', anyAccount))
    expect(await Promise.all(calls)).toEqual(Array(50).fill({ ...DATABASE_ACCOUNT, since: START }))
    expect(right.asked).toHaveLength(1)
    expect(counters.asked.take).toBe(3)
  })

  it('began, for all of the calls, before the account was read for the first of them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = async () => promise.then(() => DATABASE_ACCOUNT)
    const signIn = createSignIn(partsOf({ check }))
    const first = signIn(RIGHT, 'Login', anyAccount)
    await Promise.resolve()
    clock.advance(900)
    const second = signIn(RIGHT, 'Login', anyAccount)
    resolve()
    expect((await Promise.all([first, second])).map(({ since }) => since)).toEqual([START, START])
  })

  it('at separate instances blocks no call after it is verified', async () => {
    const counters = new MemoryCounter()
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
  ])('does not affect %s', async (_, changes) => {
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
  ])('is verified by each call when it was %s for another', async (_, check) => {
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
    const parts = partsOf({ ...plainAccounts(users, verified), ...(noteLogin && { noteLogin }) })
    return { parts, users, signIn: createSignIn(parts) }
  }

  const right = { username: 'alice', password: PASSWORD, address: HERE, method: 'token' } as const

  it('is stored for a verified password, once for calls that share the verification, and not for a cached one', async () => {
    const users = new MemoryUsers(alice())
    const noted: Date[] = []
    const note = loginNotes({ noteLogin: async (_, at) => void noted.push(at) }, clock)
    const { signIn } = signInWith(note, users)
    await Promise.all([1, 2, 3].map(() => signIn(right, 'Basic Authentication', anyAccount)))
    await signIn(right, 'Basic Authentication', anyAccount)
    expect(noted).toEqual([START])
  })

  it('is not stored for a wrong password or an unusable account', async () => {
    const noted: string[] = []
    const { signIn } = signInWith(async ({ uid }) => void noted.push(uid))
    await signIn({ ...right, password: 'wrong' }, 'Login', anyAccount).catch(() => {})
    await signIn(right, 'Login', () => undefined).catch(() => {})
    expect(noted).toEqual([])
  })

  it('that cannot be stored does not fail the login, and is logged', async () => {
    const cause = unavailable(new Error('down'))
    const { parts, signIn } = signInWith(() => Promise.reject(cause))
    expect(await signIn(right, 'Login', anyAccount)).toMatchObject({ username: 'Alice' })
    expect(parts.log.of('the time of a login was not kept')).toEqual([{ cause }])
  })

  it('is not stored for an account of another store', async () => {
    const noted: string[] = []
    const note = loginNotes({ noteLogin: async (id) => void noted.push(id) }, clock)
    await note({ ...DATABASE_ACCOUNT, uid: 'ldap:entry-1' })
    await note(DATABASE_ACCOUNT)
    expect(noted).toEqual(['id-1'])
  })
})
