import type { Role } from '../../users/role.ts'
import { type User, userKey } from '../../users/user.ts'

/** A user as the table holds it: `username` is the key form of the name, `name` the name as it was given. */
export interface UserItem {
  readonly username: string | undefined
  readonly id: string
  readonly name: string
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

/** Leads from an id to the name; upper case, so that it is the key form of no name. */
export interface IdItem {
  readonly username: string
  readonly name: string
}

export function userItems({ username: name, ...user }: User): readonly [UserItem, IdItem] {
  return [
    { ...user, name, username: userKey(name) },
    { username: idKey(user.id), name },
  ]
}

export function idKey(id: string): string {
  return `ID#${id}`
}

export function toUser({ id, name, passwordHash, roles, enabled }: UserItem): User {
  return { id, username: name, passwordHash, roles, enabled }
}
