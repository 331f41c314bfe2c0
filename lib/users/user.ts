import { boundedName, nfc } from '../runtime/text.ts'
import type { Marks } from './credentials.ts'
import type { Role } from './role.ts'

export interface User extends Marks {
  readonly id: string
  /** In NFKC; two names that differ only in case are one user. */
  readonly username: string
  /** A PHC string. */
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
  readonly createdAt: Date
  /** Accurate to about a minute; undefined before the first login. */
  readonly lastLoginAt?: Date | undefined
}

/** What can be changed of a user, and what ends with that. */
export type UserChanges = Partial<Pick<User, 'roles' | 'enabled' | 'passwordHash'>> & Marks

/** A user without the hash of the password. */
export type KnownUser = Omit<User, 'passwordHash'>

/** Reads users, and no password. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserReader {
  /** Finds a user by name; ignores case. */
  find(username: string): Promise<KnownUser | undefined>
  findById(id: string): Promise<KnownUser | undefined>
}

/** Stores the users of the database profile. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserStore extends UserReader {
  find(username: string): Promise<User | undefined>
  findById(id: string): Promise<User | undefined>
  /** Replaces the hash if it is still the one that was read; otherwise does nothing. */
  replacePasswordHash(id: string, read: string, replacement: string): Promise<void>
  /** Gives a user another password, and the marks that come with it, unless logins have ended since the user was read. */
  setPassword(read: KnownUser, changes: Pick<UserChanges, 'passwordHash' | keyof Marks>): Promise<'written' | 'moved'>
  /** Records a login, at most once a minute; does nothing for a removed user. */
  noteLogin(id: string, at: Date): Promise<void>
}

/** The ends of logins, for the accounts of every store. All methods throw ServiceError `UNAVAILABLE`. */
export interface LoginEnds {
  /** The time before which logins of an account are over, if there is one. */
  find(uid: string): Promise<Date | undefined>
  /** Ends all logins of an account before a time; does nothing for a removed user of the database. */
  end(uid: string, at: Date): Promise<void>
}

/**
 * Manages the stored users. The outcome is `moved` if the user, or the admin who must remain, has changed since it was
 * read: then nothing was written. All methods throw ServiceError `UNAVAILABLE`.
 */
export interface UserAdministration {
  /** Adds a user unless the name, in any case, is taken. */
  add(user: User): Promise<'added' | 'taken'>
  findById(id: string): Promise<KnownUser | undefined>
  /** An enabled admin with another id, read consistently. */
  findOtherAdmin(id: string): Promise<KnownUser | undefined>
  /** @param remaining an enabled admin who must still be one at that moment */
  update(read: KnownUser, changes: UserChanges, remaining?: KnownUser): Promise<'written' | 'moved'>
  /** @param remaining as in {@link update} */
  remove(read: KnownUser, remaining?: KnownUser): Promise<'written' | 'moved'>
}

/** A page of the users that still exist. */
export interface UserPage {
  readonly users: readonly KnownUser[]
  /** The name after which the next page begins; undefined for the last one. */
  readonly next: string | undefined
}

/** Lists the stored users. All methods throw ServiceError `UNAVAILABLE`. */
export interface UserList {
  /**
   * The users with the next names in the order of their key forms. A user who exists all the while is on exactly one
   * page.
   * @param after the key form of a name, which no user needs to have
   */
  page(limit: number, after?: string): Promise<UserPage>
}

/** The key under which a name is stored; undefined for a text that cannot be a name: an empty one, or one beyond its bound. */
export function userKey(username: string): string | undefined {
  const name = boundedName(username)
  return name === undefined || name === '' ? undefined : nfc(name).toLowerCase()
}

/** Whether the user is an enabled admin; one such user must remain. */
export function isEnabledAdmin({ enabled, roles }: Pick<User, 'enabled' | 'roles'>): boolean {
  return enabled && roles.includes('ROLE_ADMIN')
}

/**
 * The id of an account. No other account ever gets it, even if the name does: a UUID in the database, `ldap:` and the
 * entryUUID of an entry of the directory, `provider:subject` at an identity provider.
 */
export type AccountStore = 'database' | 'directory' | 'provider'

const PREFIX = 'ldap:'

export function directoryUid(entryUuid: string): string {
  return `${PREFIX}${entryUuid}`
}

/** The entryUUID of an account of the directory. */
export function entryUuidIn(uid: string): string {
  return uid.slice(PREFIX.length)
}

export function storeOf(uid: string): AccountStore {
  if (uid.startsWith(PREFIX)) return 'directory'
  return uid.includes(':') ? 'provider' : 'database'
}

/** The rows that make names unique have ids of another form. */
export function isDatabaseUid(uid: string): boolean {
  return storeOf(uid) === 'database' && !uid.includes('#')
}

/** Whether an account may have such an id; a directory may call its entries by any text (`LDAP_ID_ATTRIBUTE`). */
export function isAccountId(text: string): boolean {
  return (storeOf(text) === 'database' ? /^[^#]{1,64}$/ : /^[a-z][a-z0-9-]{0,23}:[^\p{Cc}\p{Cs}]{1,255}$/u).test(text)
}
