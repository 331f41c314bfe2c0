import type { Role } from './role.ts'

export interface User {
  /** As it was given; two names that differ only in case are one user. */
  readonly username: string
  /** A PHC string. */
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

/** Where the users of the database profile are kept. */
export interface UserStore {
  /** The user of that name in any case. @throws ServiceError `UNAVAILABLE` */
  find(username: string): Promise<User | undefined>
  /** Replaces the hash if it is still the one that was read; does nothing otherwise. */
  replacePasswordHash(username: string, read: string, replacement: string): Promise<void>
}

const MAXIMUM_NAME_LENGTH = 256

/** The form of a name under which a user is kept, or undefined for a name that no user can have. */
export function userKey(username: string): string | undefined {
  const key = username.normalize('NFC').toLowerCase()
  return key.length > 0 && key.length <= MAXIMUM_NAME_LENGTH ? key : undefined
}
