import { type Role, satisfies } from '../users/role.ts'

/** How the caller proved who they are. */
export type AuthType = 'JWT'

export type PrincipalType = 'JwtUser'

/** A caller whose credentials were checked. */
export interface Principal {
  readonly username: string
  /** The roles held, without those that the hierarchy adds. */
  readonly roles: readonly Role[]
  readonly authType: AuthType
  readonly principalType: PrincipalType
  readonly tokenExpiresAt?: Date
}

/** The answer of `GET /api/auth/info`. */
export function describePrincipal(principal: Principal) {
  const { username, authType, principalType, tokenExpiresAt } = principal
  return {
    authenticated: true,
    username,
    authorities: authoritiesOf(principal),
    authType,
    principalType,
    tokenExpiresAt: tokenExpiresAt?.toISOString(),
  }
}

/** The answer of the endpoints that greet by role. */
export function greet(principal: Principal) {
  const name = satisfies(principal.roles, 'ROLE_ADMIN') ? 'Admin' : 'User'
  return {
    message: `Hello, ${name}! (secured endpoint)`,
    user: principal.username,
    authorities: authoritiesOf(principal),
    authType: principal.authType,
  }
}

function authoritiesOf({ roles }: Principal): readonly { readonly authority: Role }[] {
  return roles.map((authority) => ({ authority }))
}
