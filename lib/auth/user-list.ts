import { type ListedUser, MAXIMUM_LISTED, visibleTo } from '../users/manage.ts'
import { satisfies } from '../users/role.ts'
import type { Directory } from './directory.ts'
import type { Principal } from './principal.ts'

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
