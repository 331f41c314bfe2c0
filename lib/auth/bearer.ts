import type { VerifiedToken } from './claims.ts'
import type { Principal } from './principal.ts'
import type { Tokens } from './token.ts'

/** The check of a bearer token: the principal that it names (auth-34, auth-35). */
export function bearerCheck(tokens: Pick<Tokens, 'verify'>): (token: string) => Principal | Promise<Principal> {
  return (token) => {
    const verified = tokens.verify(token)
    return verified instanceof Promise ? verified.then(toPrincipal) : toPrincipal(verified)
  }
}

function toPrincipal({ username, uid, role, issuedAt, expiresAt }: VerifiedToken): Principal {
  const times = { tokenIssuedAt: issuedAt, tokenExpiresAt: expiresAt }
  return { username, uid, roles: [role], authType: 'JWT', principalType: 'JwtUser', ...times }
}
