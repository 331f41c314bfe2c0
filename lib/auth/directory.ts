import type { Role } from '../users/role.ts'

/** A user of the directory, with the roles that its groups stand for. */
export interface DirectoryUser {
  /** The value of the naming attribute as the directory keeps it. */
  readonly username: string
  readonly roles: readonly Role[]
}

/** A directory server. All methods throw ServiceError `UNAVAILABLE` when it is down, too slow or answers garbage. */
export interface Directory {
  /** The user whose password this is; an unknown name and a wrong password are alike, in answer and in time. */
  check(username: string, password: string): Promise<DirectoryUser | undefined>
  find(username: string): Promise<DirectoryUser | undefined>
  /** At most `limit` users, by name. */
  list(limit: number): Promise<readonly DirectoryUser[]>
}
