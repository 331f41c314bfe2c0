import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Clock } from '../runtime/time.ts'
import type { Role } from '../users/role.ts'
import { directoryUid, storeOf, type User, type UserStore, userKey } from '../users/user.ts'
import type { Directory } from './directory.ts'
import type { Undecided } from './login-attempts.ts'
import { randomText } from './passkeys/passkey.ts'
import { ARGON2 } from './password.ts'
import type { AuthType, PrincipalType } from './principal.ts'

/** An account whose password was verified. */
export interface Account {
  readonly username: string
  readonly roles: readonly Role[]
  readonly authType: Extract<AuthType, 'JDBC' | 'LDAP'>
  readonly principalType: Extract<PrincipalType, 'DatabaseUser' | 'DirectoryUser'>
  /** lib/users/user.ts. */
  readonly uid: string
  /** Logins before this time are over, as far as the store of passwords knows. */
  readonly validAfter?: Date | undefined
}

/** An account at its login. */
export interface LoggedInAccount extends Account {
  /** When the login began: before the account was read. What ended at this time or later has ended this login, too. */
  readonly since: Date
}

/** For what every account may log in to. */
export const anyAccount = (account: LoggedInAccount): LoggedInAccount => account

/** A store of passwords. All methods throw ServiceError `UNAVAILABLE`. */
export interface Accounts {
  /** The account, or why there is none; the failure if the first of two stores lacks the name and the second fails. */
  check(username: string, password: string): Promise<Account | 'unknown' | 'refused' | Undecided>
  /**
   * The account, if these credentials were verified a moment ago and are still valid; undefined if that is not known.
   */
  recall?(username: string, password: string): Promise<Account | undefined>
  /** Notes that an account has logged in. */
  noteLogin?(account: Pick<Account, 'uid'>): Promise<void>
}

export type VerifiedUser = Pick<User, 'id' | 'passwordHash'>

/** A short-lived cache of verified passwords, so that the next call of the same client skips the hash. */
export interface VerifiedCredentials {
  /** The user, with the stored hash that the password matched. */
  find(username: string, password: string): VerifiedUser | undefined
  add(username: string, password: string, user: VerifiedUser): void
}

type Hashed = Pick<UserStore, 'find' | 'findById'> & Partial<Pick<UserStore, 'replacePasswordHash'>>

/**
 * The users table. A disabled user, a wrong password and an unknown name take the same time.
 * @param users without `replacePasswordHash`, outdated hashes stay
 */
export function databaseAccounts(users: Hashed, verified?: VerifiedCredentials, hashes = ARGON2): Accounts {
  return {
    async check(username, password) {
      const user = userKey(username) === undefined ? undefined : await users.find(username)
      const outcome = await hashes.check(password, user?.passwordHash)
      if (user === undefined) return 'unknown'
      if (outcome === 'wrong' || !user.enabled) return 'refused'
      if (outcome === 'right-but-outdated' && users.replacePasswordHash) {
        await users.replacePasswordHash(user.id, user.passwordHash, await hashes.hash(password))
      }
      verified?.add(username, password, user)
      return accountOf(user)
    },
    async recall(username, password) {
      const known = verified?.find(username, password)
      const user = known && (await users.findById(known.id))
      return user?.enabled && user.passwordHash === known?.passwordHash ? accountOf(user) : undefined
    },
  }
}

/** Stores when users of the database log in; other accounts have no row for it. */
export function loginNotes(users: Pick<UserStore, 'noteLogin'>, clock: Clock): NonNullable<Accounts['noteLogin']> {
  return async ({ uid }) => {
    if (storeOf(uid) === 'database') await users.noteLogin(uid, clock.now())
  }
}

function accountOf({ id: uid, username, roles, validAfter }: User): Account {
  return { username, roles, authType: 'JDBC', principalType: 'DatabaseUser', uid, ...(validAfter && { validAfter }) }
}

export function directoryAccounts(directory: Directory): Accounts {
  return {
    async check(username, password) {
      const user = await directory.check(username, password)
      if (!user) return 'unknown'
      const { id, username: name, roles, changedAt: validAfter } = user
      const uid = directoryUid(id)
      return {
        username: name,
        roles,
        authType: 'LDAP',
        principalType: 'DirectoryUser',
        uid,
        ...(validAfter && { validAfter }),
      }
    },
  }
}

/**
 * The first store, and the second for names that the first lacks. A refusal takes the same time whichever store knows
 * the name: for a name of the first store, the second checks a name that no user has. While the second store fails, only
 * a correct password of the first store is accepted; every other answer is that failure. So an outage does not reveal
 * which store has a name.
 */
export function eitherAccounts(first: Accounts, second: Accounts): Accounts {
  return {
    ...first,
    async check(username, password) {
      const outcome = await first.check(username, password)
      if (typeof outcome === 'object') return outcome
      try {
        if (outcome === 'unknown') return await second.check(username, password)
        await second.check(randomText(), randomText())
        return outcome
      } catch (failure) {
        return { failure }
      }
    },
  }
}

const MAXIMUM_ENTRIES = 1000

interface Entry {
  readonly user: VerifiedUser
  readonly addedAt: number
}

/**
 * Remembers right passwords for a short while, as a keyed hash whose key lives and dies with the process. An entry counts
 * only while the user's stored hash is still the one that the password was right for; failures are never remembered.
 * @param seconds 0 switches it off
 */
export function verifiedCredentials(clock: Clock, seconds: number): VerifiedCredentials {
  // Given the bytes themselves, Node would find out each time that they are no key (v24: 9 µs).
  const key = createSecretKey(randomBytes(32))
  const entries = new Map<string, Entry>()
  const nameOf = (username: string, password: string) =>
    createHmac('sha256', key).update(`${username.length}:${username}`).update(password).digest('base64url')

  return {
    find(username, password) {
      const entry = entries.get(nameOf(username, password))
      const age = entry && clock.now().getTime() - entry.addedAt
      return age !== undefined && age >= 0 && age < seconds * 1000 ? entry?.user : undefined
    },
    add(username, password, { id, passwordHash }) {
      if (seconds === 0) return
      if (entries.size >= MAXIMUM_ENTRIES) entries.delete(entries.keys().next().value ?? '')
      entries.set(nameOf(username, password), { user: { id, passwordHash }, addedAt: clock.now().getTime() })
    },
  }
}
