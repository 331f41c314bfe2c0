import { type ListedUser, MAXIMUM_LISTED, visibleTo } from '../users/manage.ts'
import { type Role, satisfies } from '../users/role.ts'
import type { Principal } from './principal.ts'

/** A user of the directory, with the roles of its groups. */
export interface DirectoryUser {
  /** The value of the naming attribute as the directory keeps it. */
  readonly username: string
  readonly roles: readonly Role[]
}

/** An entry that may log in. */
export interface DirectoryAccount extends DirectoryUser {
  /** Its entryUUID (RFC 4530): a later entry with the same name has another one. */
  readonly id: string
  /** When its password changed, or else when the entry changed; absent if the directory shows neither. */
  readonly changedAt?: Date | undefined
  /** Whether an administrator has locked it until further notice; absent if the directory does not show that. */
  readonly isDisabled?: boolean
}

/** A directory server. All methods throw ServiceError `UNAVAILABLE` when it is down, too slow or answers garbage. */
export interface Directory {
  /** The user with this password. An unknown name and a wrong password get the same answer in the same time. */
  check(username: string, password: string): Promise<DirectoryAccount | undefined>
  find(username: string): Promise<DirectoryAccount | undefined>
  findById(id: string): Promise<DirectoryAccount | undefined>
  /** At most `limit` users, by name. */
  list(limit: number): Promise<readonly DirectoryUser[]>
}

/** The answer of the endpoints that list the users of one store. */
export async function userList(
  message: string,
  { username, roles }: Principal,
  list: (limit: number) => Promise<readonly ListedUser[]>,
) {
  const viewer = { username, isAdmin: satisfies(roles, 'ROLE_ADMIN') }
  return { message, user: username, users: visibleTo(viewer, await list(MAXIMUM_LISTED)) }
}

/** A directory refuses the bind of a disabled user, and shows nothing more about it. */
export async function enabledUsers(directory: Directory, limit: number): Promise<readonly ListedUser[]> {
  return (await directory.list(limit)).map((user) => ({ ...user, enabled: true }))
}
