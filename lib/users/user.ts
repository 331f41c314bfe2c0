import type { Role } from './role.ts'

export interface User {
  readonly id: string
  /** As it was given; two names that differ only in case are one user. */
  readonly username: string
  /** A PHC string. */
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

/** Where the users of the database profile are kept. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserStore {
  /** The user of that name in any case. */
  find(username: string): Promise<User | undefined>
  /** Replaces the hash if it is still the one that was read; does nothing otherwise. */
  replacePasswordHash(username: string, read: string, replacement: string): Promise<void>
}

/** Where the users are looked after. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserAdministration {
  /** Adds a user unless the name is taken, in any case. */
  add(user: User): Promise<'added' | 'taken'>
  findById(id: string): Promise<User | undefined>
  /**
   * Removes a user, if there still is one.
   * @param remaining without whom, at that moment and enabled, nobody is removed
   */
  remove(user: User, remaining?: User): Promise<'removed' | 'alone'>
  /** At most `limit` users, by name. */
  list(limit: number): Promise<readonly User[]>
}

const MAXIMUM_NAME_LENGTH = 256

/** The form of a name under which a user is kept, or undefined for a name that no user can have. */
export function userKey(username: string): string | undefined {
  const key = username.normalize('NFC').toLowerCase()
  return key.length > 0 && key.length <= MAXIMUM_NAME_LENGTH ? key : undefined
}
