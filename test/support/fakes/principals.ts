import type { AccountGate } from '../../../lib/auth/account-gate.ts'
import { refusal } from '../../../lib/auth/claims.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Role } from '../../../lib/users/role.ts'

/** Who comes with a token of that role. */
export function tokenHolder(role: Role, tokenExpiresAt?: Date): Principal {
  const principal: Principal = { username: 'alice', roles: [role], authType: 'JWT', principalType: 'JwtUser' }
  return tokenExpiresAt ? { ...principal, tokenExpiresAt } : principal
}

/** Every account is as its token says. */
export const everyAccount: AccountGate = { confirm: async (principal) => principal }

/** Every account has ended. */
export const noAccount: AccountGate = {
  async confirm() {
    throw refusal('REVOKED', 'The account of the token is gone')
  },
}
