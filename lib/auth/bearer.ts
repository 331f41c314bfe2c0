import type { VerifiedToken } from './jwt.ts'
import type { Principal } from './principal.ts'
import type { Tokens } from './token.ts'

/** The check of a bearer token: the principal that it names (spec 5, rule 2). */
export function bearerCheck(tokens: Tokens): (token: string) => Principal | Promise<Principal> {
  return (token) => {
    const verified = tokens.verify(token)
    return verified instanceof Promise ? verified.then(toPrincipal) : toPrincipal(verified)
  }
}

function toPrincipal({ username, role, expiresAt }: VerifiedToken): Principal {
  return { username, roles: [role], authType: 'JWT', principalType: 'JwtUser', tokenExpiresAt: expiresAt }
}

/** The token of an `Authorization: Bearer <token>`; undefined for another scheme, whose names know no case (RFC 9110). */
export function bearerTokenIn(authorization: string): string | undefined {
  return /^bearer(?!\S)\s*(.*)/is.exec(authorization)?.[1]
}
