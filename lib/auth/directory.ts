import { type ListedUser, MAXIMUM_LISTED } from '../users/manage.ts'
import { type Role, satisfies } from '../users/role.ts'
import type { Principal } from './principal.ts'

/** A user of the directory. */
export interface DirectoryAccount {
  /** The value of the naming attribute as the directory keeps it. */
  readonly username: string
  /** Those of its groups. */
  readonly roles: readonly Role[]
  /** The text of its stable id: a later entry with the same name has another one. */
  readonly id: string
  /** When its password changed, or else when the entry changed; absent if the directory shows neither. */
  readonly changedAt?: Date | undefined
  /** Whether an administrator has locked it until further notice; absent if the directory does not show that. */
  readonly isDisabled?: boolean
}

export interface DirectoryList {
  /** By name. */
  readonly users: readonly ListedUser[]
  /** Whether there are no others. */
  readonly isWhole: boolean
}

/**
 * A directory server. All methods throw ServiceError `UNAVAILABLE` when it is down, too slow or answers garbage; and with
 * a ConfigError as the cause when it cannot be used with the settings.
 */
export interface Directory {
  /** The user with this password. An unknown name and a wrong password get the same answer in the same time. */
  check(username: string, password: string): Promise<DirectoryAccount | undefined>
  find(username: string): Promise<DirectoryAccount | undefined>
  findById(id: string): Promise<DirectoryAccount | undefined>
  /** At most `limit` users. */
  list(limit: number): Promise<DirectoryList>
  /** Asks for everything that a login needs. */
  probe(): Promise<void>
}

/** The answer of the endpoints that list the users of one store: an admin sees all, other users only themselves. */
export async function userList(
  message: string,
  { username, roles }: Principal,
  list: (limit: number) => Promise<DirectoryList>,
) {
  if (!satisfies(roles, 'ROLE_ADMIN')) return { message, user: username, users: [{ username, roles, enabled: true }] }
  const { users, isWhole } = await list(MAXIMUM_LISTED)
  return { message, user: username, users: users.map(shown), ...(!isWhole && { truncated: true }) }
}

/** Never a secret. */
const shown = ({ username, roles, enabled }: ListedUser) => ({ username, roles, enabled })
