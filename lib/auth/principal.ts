import { type Role, satisfies } from '../users/role.ts'
import type { LoginRecord } from './oauth2/steps.ts'

/** How the caller proved who they are. */
export type AuthType = 'JWT' | 'JDBC' | 'LDAP' | 'OAuth2' | 'FORM' | 'API_KEY'

export type PrincipalType = 'JwtUser' | 'DatabaseUser' | 'DirectoryUser' | 'OidcUser' | 'OAuth2User' | 'ApiKey'

/** A caller whose credentials were checked. */
export interface Principal {
  readonly username: string
  /** The id of the account (lib/users/account-id.ts); absent for a machine, and for a token that does not tell it. */
  readonly uid?: string | undefined
  /** The roles held, without those that the hierarchy adds. */
  readonly roles: readonly Role[]
  readonly authType: AuthType
  readonly principalType: PrincipalType
  readonly tokenIssuedAt?: Date
  readonly tokenExpiresAt?: Date
  readonly sessionExpiresAt?: Date
  /** What an identity provider told of the user at login. */
  readonly oauth2?: OAuth2Profile
  /** Of a machine. It has no role: only what is open to keys is open to it. */
  readonly key?: HeldKey
}

/** The key that a machine came with. */
export interface HeldKey {
  readonly id: string
  /** The sources whose events it reads; all if absent. */
  readonly sources?: readonly string[]
}

/** The attributes of an OAuth2 or OpenID Connect login (spec 4.1); null for what the provider did not tell. */
export interface OAuth2Profile {
  readonly provider: string
  readonly email: string | null
  readonly name: string | null
  readonly picture: string | null
  /** What the provider sent, as far as it is no secret. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Missing from a session that is older than the recording of logins. */
  readonly login?: LoginRecord | undefined
}

/** The answer of `GET /api/auth/info`. */
export function describePrincipal(principal: Principal) {
  const { username, authType, principalType, tokenExpiresAt, sessionExpiresAt } = principal
  return {
    authenticated: true,
    username,
    authorities: authoritiesOf(principal),
    authType,
    principalType,
    tokenExpiresAt: tokenExpiresAt?.toISOString(),
    sessionExpiresAt: sessionExpiresAt?.toISOString(),
  }
}

/** The answer of the endpoint that asks nobody who they are. */
export function greetAnybody() {
  return { message: 'Hello, world! (public endpoint - no authentication required)' }
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
