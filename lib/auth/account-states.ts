import type { Role } from '../users/role.ts'
import { directoryUid, entryUuidIn, type LoginEnds, storeOf, type UserStore } from '../users/user.ts'
import type { Directory, DirectoryAccount } from './directory.ts'

/** An account in its present state. One that does not exist or is disabled has no state. */
export interface AccountState {
  /** lib/users/user.ts. */
  readonly uid: string
  readonly username: string
  readonly roles: readonly Role[]
  /** Only the database has it. */
  readonly createdAt?: Date
  /** Logins before this time are over. */
  readonly validAfter?: Date | undefined
}

/** Asks the store that an account belongs to. All methods throw ServiceError `UNAVAILABLE`. */
export interface AccountStates {
  find(uid: string): Promise<AccountState | undefined>
  /** The account that logs in with a password under this name. */
  findByName(username: string): Promise<AccountState | undefined>
  /** Ends the logins of an account before a time. */
  end(uid: string, at: Date): Promise<void>
}

export interface AccountStatesParts {
  readonly users: UserStore
  readonly ends: LoginEnds
  /** The directory; undefined where there is none. */
  directory(): Promise<Pick<Directory, 'find' | 'findById'> | undefined>
  /** The stores that logins ask, in their order. */
  readonly stores: readonly ('database' | 'directory')[]
  /** Identities, as `provider:subject`, of administrators. */
  readonly admins: readonly string[]
}

export function createAccountStates({ users, ends, directory, stores, admins }: AccountStatesParts): AccountStates {
  async function inDatabase(found: ReturnType<UserStore['find']>): Promise<AccountState | undefined> {
    const user = await found
    if (!user?.enabled) return undefined
    const { id: uid, username, roles, createdAt, validAfter } = user
    return { uid, username, roles, createdAt, validAfter }
  }

  async function inDirectory(
    look: (directory: Pick<Directory, 'find' | 'findById'>) => Promise<DirectoryAccount | undefined>,
  ): Promise<AccountState | undefined> {
    const there = await directory()
    const entry = there && (await look(there))
    if (!entry || entry.isDisabled) return undefined
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

  function named(username: string, store: 'database' | 'directory'): Promise<AccountState | undefined> {
    return store === 'database' ? inDatabase(users.find(username)) : inDirectory(({ find }) => find(username))
  }

  return {
    end: (uid, at) => ends.end(uid, at),
    find(uid) {
      const store = storeOf(uid)
      if (store === 'provider') return atProvider(uid)
      if (store === 'database') return inDatabase(users.findById(uid))
      return inDirectory(({ findById }) => findById(entryUuidIn(uid)))
    },
    async findByName(username) {
      for (const store of stores) {
        const state = await named(username, store)
        if (state) return state
      }
      return undefined
    },
  }
}

/** The later one of two times that may be absent. */
export function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other && one > other ? one : (other ?? one)
}
