import { fail } from '../errors.ts'
import { listCursor, member } from '../runtime/list-cursor.ts'
import { actsOn } from '../trail/act.ts'
import { highestRole } from './role.ts'
import { isAccountId, storeOf, type User, type UserList, type UserStore } from './user.ts'

interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

const userCursor = listCursor('users', { key: member.name })

/** One page, by name. @throws ServiceError `VALIDATION_FAILED` for a cursor that is none, `UNAVAILABLE` */
export async function listUsers(users: Pick<UserList, 'page'>, { limit, cursor }: PageRequest) {
  const page = await users.page(limit, userCursor.read({}, cursor)?.key)
  return {
    users: page.users.map(shownUser),
    nextCursor: page.next === undefined ? null : userCursor.of({}, { key: page.next }),
  }
}

/** @throws ServiceError `USER_NOT_FOUND`, `UNAVAILABLE` */
export async function findUser(users: Pick<UserStore, 'findById'>, id: string) {
  const user = await users.findById(id)
  if (!user) throw fail('USER_NOT_FOUND')
  return shownUser(user)
}

/** A user as admins see it: absent values are null, nothing of the password. */
export function shownUser({ id, username, roles, enabled, createdAt, lastLoginAt }: User) {
  return {
    id,
    username,
    role: highestRole(roles) ?? null,
    enabled,
    createdAt: createdAt.toISOString(),
    lastLoginAt: lastLoginAt?.toISOString() ?? null,
  }
}

/**
 * The id of an account of any store. A user of the database must exist; the id of another account must only have the
 * right form.
 * @throws ServiceError `USER_NOT_FOUND`, `UNAVAILABLE`
 */
export async function knownAccount(users: Pick<UserStore, 'findById'>, id: string): Promise<string> {
  if (!isAccountId(id)) throw fail('USER_NOT_FOUND')
  const user = storeOf(id) === 'database' ? await users.findById(id) : undefined
  if (storeOf(id) === 'database' && !user) throw fail('USER_NOT_FOUND')
  actsOn({ type: 'user', id, name: user?.username })
  return id
}
