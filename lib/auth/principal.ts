import { type Role, satisfies } from '../users/role.ts'
import type { LoginRecord } from './oauth2/steps.ts'

/** The authentication method of the caller. */
export type AuthType = 'JWT' | 'JDBC' | 'LDAP' | 'OAuth2' | 'FORM' | 'PASSKEY' | 'API_KEY'

export type PrincipalType = 'JwtUser' | 'DatabaseUser' | 'DirectoryUser' | 'OidcUser' | 'OAuth2User' | 'ApiKey'

/** A caller whose credentials were checked. */
export interface Principal {
  readonly username: string
  /** The id of the account (lib/users/account-id.ts); absent for a machine, and for a token without it. */
  readonly uid?: string | undefined
  /** The roles held, without those that the hierarchy adds. */
  readonly roles: readonly Role[]
  readonly authType: AuthType
  readonly principalType: PrincipalType
  readonly tokenIssuedAt?: Date
  readonly tokenExpiresAt?: Date
  readonly sessionExpiresAt?: Date
  /** The attributes that an identity provider sent at login. */
  readonly oauth2?: OAuth2Profile
  /** Only for a machine. It has no role: it reaches only what is open to keys. */
  readonly key?: HeldKey
}

/** The key that a machine came with. */
export interface HeldKey {
  readonly id: string
  /** The sources whose events it reads; all if absent. */
  readonly sources?: readonly string[]
}

/** The attributes of an OAuth2 or OpenID Connect login (http-47); null for each that the provider did not send. */
export interface OAuth2Profile {
  readonly provider: string
  readonly email: string | null
  readonly name: string | null
  readonly picture: string | null
  /** The attributes that the provider sent, without secrets. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Missing in a session that started before logins were recorded. */
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

/** The answer of the endpoint that needs no credentials. */
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
