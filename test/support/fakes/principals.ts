import type { Principal } from '../../../lib/auth/principal.ts'
import type { Role } from '../../../lib/users/role.ts'

/** Who comes with a token of that role. */
export function tokenHolder(role: Role, tokenExpiresAt?: Date): Principal {
  const principal: Principal = { username: 'alice', roles: [role], authType: 'JWT', principalType: 'JwtUser' }
  return tokenExpiresAt ? { ...principal, tokenExpiresAt } : principal
}
