import type { Role } from './role.ts'

export interface User {
  readonly id: string
  /** As given; two names that differ only in case are one user. */
  readonly username: string
  /** What the name looks like (`nameSkeleton`); undefined for a user from before looks were kept. */
  readonly look?: string
  /** A PHC string. */
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
  readonly createdAt: Date
  /** Logins before it are over. */
  readonly validAfter?: Date | undefined
}

/** Stores the users of the database profile. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserStore {
  /** Finds a user by name; ignores case. */
  find(username: string): Promise<User | undefined>
  findById(id: string): Promise<User | undefined>
  /** Replaces the hash if it is still the one that was read; otherwise does nothing. */
  replacePasswordHash(id: string, read: string, replacement: string): Promise<void>
}

/** What is kept of the accounts of every store. All methods throw ServiceError `UNAVAILABLE`. */
export interface LoginEnds {
  /** The time before which logins of an account are over, if there is one. */
  find(uid: string): Promise<Date | undefined>
  /** Ends all logins of an account before a time; does nothing to a user of the database who is gone. */
  end(uid: string, at: Date): Promise<void>
}

/** Manages the stored users. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserAdministration {
  /** Adds a user unless the name, in any case, or its look is taken. */
  add(user: User): Promise<'added' | 'taken'>
  findById(id: string): Promise<User | undefined>
  /**
   * Removes a user if it exists.
   * @param remaining a user who must exist and be enabled at that moment; otherwise nothing is removed
   */
  remove(user: User, remaining?: User): Promise<'removed' | 'alone'>
  /** At most `limit` users, by name. */
  list(limit: number): Promise<readonly User[]>
}

const MAXIMUM_NAME_LENGTH = 256

/** The key under which a name is stored; undefined for a name that no user can have. */
export function userKey(username: string): string | undefined {
  const key = username.normalize('NFC').toLowerCase()
  return key.length > 0 && key.length <= MAXIMUM_NAME_LENGTH ? key : undefined
}
