import { highestRole, type Role } from '../users/role.ts'
import type { Account } from './accounts.ts'

/** A user that a token can be issued to. */
export interface TokenHolder {
  readonly username: string
  readonly uid: string
  readonly role: Role
}

/**
 * A token carries the highest role that is held; undefined for an account without any, for which no token can be made.
 */
export function tokenHolder({ username, uid, roles }: Account): TokenHolder | undefined {
  const role = highestRole(roles)
  return role && { username, uid, role }
}
