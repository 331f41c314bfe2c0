import type { Role } from '../users/role.ts'

/** A user of the directory, with the roles that its groups stand for. */
export interface DirectoryUser {
  /** The value of the naming attribute as the directory keeps it. */
  readonly username: string
  readonly roles: readonly Role[]
}

/** An entry that may log in. */
export interface DirectoryAccount extends DirectoryUser {
  /** Its entryUUID (RFC 4530): another entry of the same name has another one. */
  readonly id: string
  /** When its password changed, or, where the directory does not tell that, the entry; absent where it tells neither. */
  readonly changedAt?: Date | undefined
  /** Whether an administrator has locked it until further notice, where the directory tells that. */
  readonly isDisabled?: boolean
}

/** A directory server. All methods throw ServiceError `UNAVAILABLE` when it is down, too slow or answers garbage. */
export interface Directory {
  /** The user whose password this is; an unknown name and a wrong password are alike, in answer and in time. */
  check(username: string, password: string): Promise<DirectoryAccount | undefined>
  find(username: string): Promise<DirectoryAccount | undefined>
  findById(id: string): Promise<DirectoryAccount | undefined>
  /** At most `limit` users, by name. */
  list(limit: number): Promise<readonly DirectoryUser[]>
}
