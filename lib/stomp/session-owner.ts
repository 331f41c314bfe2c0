import type { VerifiedToken } from '../auth/jwt.ts'
import type { Principal } from '../auth/principal.ts'

/** Whose a session is. */
export interface SessionOwner extends Pick<Principal, 'username' | 'roles' | 'key'> {
  /** When the token ends; absent if a key opened the session. */
  readonly tokenExpiresAt?: Date
}

export function ownerOfToken({ username, role, expiresAt }: VerifiedToken): SessionOwner {
  return { username, roles: [role], tokenExpiresAt: expiresAt }
}
