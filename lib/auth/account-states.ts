import type { Marks } from '../users/credentials.ts'
import type { Role } from '../users/role.ts'
import { directoryUid, entryUuidIn, type LoginEnds, storeOf, type UserReader } from '../users/user.ts'
import type { Directory, DirectoryAccount } from './directory.ts'

/** An account in its present state. One that does not exist or is disabled has no state. */
export interface AccountState extends Marks {
  /** lib/users/user.ts. */
  readonly uid: string
  readonly username: string
  readonly roles: readonly Role[]
  /** Only the database has it. */
  readonly createdAt?: Date
}

/** An account, or why it has no state. */
export type Look = AccountState | 'gone' | 'disabled'

/** Asks the store that an account belongs to. All methods throw ServiceError `UNAVAILABLE`. */
export interface AccountStates {
  /** The account with an id, or without one under its name. */
  look(account: { readonly uid?: string | undefined; readonly username: string }): Promise<Look>
  find(uid: string): Promise<AccountState | undefined>
  /** The account that logs in with a password under this name. */
  findByName(username: string): Promise<AccountState | undefined>
  /** Ends the logins of an account before a time. */
  end(uid: string, at: Date): Promise<void>
}

export interface AccountStatesParts {
  readonly users: UserReader
  readonly ends: LoginEnds
  /** The directory; undefined where there is none. */
  directory(): Promise<Pick<Directory, 'find' | 'findById'> | undefined>
  /** The stores that logins ask, in their order. */
  readonly stores: readonly ('database' | 'directory')[]
  /** Identities, as `provider:subject`, of administrators. */
  readonly admins: readonly string[]
}

export function createAccountStates({ users, ends, directory, stores, admins }: AccountStatesParts): AccountStates {
  async function inDatabase(found: ReturnType<UserReader['find']>): Promise<Look> {
    const user = await found
    if (!user?.enabled) return user ? 'disabled' : 'gone'
    const { id: uid, username, roles, createdAt, validAfter, passkeysValidAfter, keysValidAfter } = user
    return { uid, username, roles, createdAt, validAfter, passkeysValidAfter, keysValidAfter }
  }

  async function inDirectory(
    look: (directory: Pick<Directory, 'find' | 'findById'>) => Promise<DirectoryAccount | undefined>,
  ): Promise<Look> {
    const there = await directory()
    const entry = there && (await look(there))
    if (!entry || entry.isDisabled) return entry ? 'disabled' : 'gone'
    const uid = directoryUid(entry.id)
    return {
      uid,
      username: entry.username,
      roles: entry.roles,
      validAfter: later(entry.changedAt, await ends.find(uid)),
    }
  }

  /** Only the provider knows its users: they exist until their login is over. */
  async function atProvider(uid: string): Promise<AccountState> {
    const roles: readonly Role[] = [admins.includes(uid) ? 'ROLE_ADMIN' : 'ROLE_USER']
    return { uid, username: uid, roles, validAfter: await ends.find(uid) }
  }

  function withId(uid: string): Promise<Look> {
    const store = storeOf(uid)
    if (store === 'provider') return atProvider(uid)
    if (store === 'database') return inDatabase(users.findById(uid))
    return inDirectory(({ findById }) => findById(entryUuidIn(uid)))
  }

  async function named(username: string): Promise<Look> {
    let found: Look = 'gone'
    for (const store of stores) {
      if (found !== 'gone') break
      found = await (store === 'database'
        ? inDatabase(users.find(username))
        : inDirectory(({ find }) => find(username)))
    }
    return found
  }

  return {
    end: (uid, at) => ends.end(uid, at),
    look: ({ uid, username }) => (uid === undefined ? named(username) : withId(uid)),
    find: async (uid) => presentIn(await withId(uid)),
    findByName: async (username) => presentIn(await named(username)),
  }
}

function presentIn(look: Look): AccountState | undefined {
  return typeof look === 'string' ? undefined : look
}

/** The later one of two times that may be absent. */
export function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other && one > other ? one : (other ?? one)
}
