import { isDatabaseUid } from '../../users/account-id.ts'
import type { Role } from '../../users/role.ts'
import { type User, userKey } from '../../users/user.ts'

/** A user as the table holds it. Times are milliseconds since the epoch. */
export interface UserItem {
  readonly uid: string
  readonly name: string
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
  readonly createdAt: number
  readonly tokensValidAfter?: number | undefined
  readonly lastLoginAt?: number | undefined
  /** The key of the index by name: the same for all users, and the key form of the name. */
  readonly listed: string
  readonly nameKey: string
}

export const LISTED = 'user'

/** Makes a name one user's. */
export interface OwnItem {
  /** The id of no account. */
  readonly uid: string
  readonly id: string
}

/** The user's own item is the first. */
export function userItems(user: User): readonly [UserItem, OwnItem] {
  const { id, username: name, passwordHash, roles, enabled, createdAt, validAfter, lastLoginAt } = user
  const times = {
    createdAt: createdAt.getTime(),
    tokensValidAfter: validAfter?.getTime(),
    lastLoginAt: lastLoginAt?.getTime(),
  }
  const place = { listed: LISTED, nameKey: userKey(name) ?? '' }
  return [
    { uid: id, name, passwordHash, roles, enabled, ...times, ...place },
    { uid: nameUid(name), id },
  ]
}

export function nameUid(username: string): string {
  return `NAME#${userKey(username) ?? ''}`
}

/** The user in an item that was found under an id; undefined for what is none. */
export function toUser(item: Record<string, unknown> | undefined): User | undefined {
  if (item === undefined || !isDatabaseUid(String(item['uid'])) || item['passwordHash'] === undefined) return undefined
  const {
    uid: id,
    name: username,
    passwordHash,
    roles,
    enabled,
    createdAt,
    tokensValidAfter,
    lastLoginAt,
  } = item as unknown as UserItem
  const user = { id, username, passwordHash, roles, enabled, createdAt: new Date(createdAt) }
  return {
    ...user,
    ...(tokensValidAfter !== undefined && { validAfter: new Date(tokensValidAfter) }),
    ...(lastLoginAt !== undefined && { lastLoginAt: new Date(lastLoginAt) }),
  }
}
