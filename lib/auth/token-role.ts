import { fail } from '../errors.ts'
import { highestRole, type Role } from '../users/role.ts'

/**
 * The one role that a token carries: the highest of those held.
 * @throws ServiceError `BAD_CREDENTIALS` for a user without any role, for whom no token can be made
 */
export function tokenRole(held: readonly Role[]): Role {
  const role = highestRole(held)
  if (role !== undefined) return role
  throw fail('BAD_CREDENTIALS', { authType: 'Login', reason: 'Bad credentials' })
}
