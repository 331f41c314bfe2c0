import { fail } from '../errors.ts'
import { highestRole, type Role } from '../users/role.ts'
import { type UserStore, userKey } from '../users/user.ts'
import { checkPassword, hashPassword } from './password.ts'

export interface SignedIn {
  readonly username: string
  readonly role: Role
}

/**
 * Checks a name and a password against the user store. An unknown name, a wrong password and a disabled user cost the
 * same and get the same answer.
 * @throws ServiceError `BAD_CREDENTIALS`, `UNAVAILABLE`
 */
export async function signIn(users: UserStore, username: string, password: string): Promise<SignedIn> {
  const user = userKey(username) === undefined ? undefined : await users.find(username)
  const outcome = await checkPassword(password, user?.passwordHash)
  const role = highestRole(user?.roles ?? [])
  if (outcome === 'wrong' || !user?.enabled || role === undefined) {
    throw fail('BAD_CREDENTIALS', { authType: 'Login', reason: 'Bad credentials' })
  }
  if (outcome === 'right-but-outdated') {
    await users.replacePasswordHash(username, user.passwordHash, await hashPassword(password))
  }
  return { username: user.username, role }
}
