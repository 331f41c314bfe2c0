import type { LoginField, LoginStep } from '../contract/login-steps.ts'
import { fail } from '../errors.ts'
import { type Role, satisfies } from '../users/role.ts'
import type { LoginRecord } from './oauth2/steps.ts'

/** The authentication method of the caller. */
export type AuthType = 'JWT' | 'JDBC' | 'LDAP' | 'OAuth2' | 'FORM' | 'PASSKEY' | 'API_KEY'

export type PrincipalType = 'JwtUser' | 'DatabaseUser' | 'DirectoryUser' | 'OidcUser' | 'OAuth2User' | 'ApiKey'

/** A caller whose credentials were checked. */
export interface Principal {
  readonly username: string
  /** The id of the account (lib/users/user.ts); absent for a machine, and for a token without it. */
  readonly uid?: string | undefined
  /** The roles held, without those that the hierarchy adds. */
  readonly roles: readonly Role[]
  readonly authType: AuthType
  readonly principalType: PrincipalType
  /** When the login of a session, or of HTTP Basic, began. */
  readonly loggedInAt?: Date
  readonly tokenIssuedAt?: Date
  readonly tokenExpiresAt?: Date
  readonly sessionExpiresAt?: Date
  /** The attributes that an identity provider sent at login. */
  readonly oauth2?: OAuth2Profile
  /** Only for a machine. It has no role: it reaches only what is open to keys. */
  readonly key?: HeldKey
}

/** When the caller proved who they are; undefined for a machine. */
export function loginOf({ loggedInAt, tokenIssuedAt }: Principal): Date | undefined {
  return loggedInAt ?? tokenIssuedAt
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
  /** The role that only a claim gave, for as long as the session. */
  readonly claimed?: Role
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

/**
 * The answer of `GET /api/oauth2/profile`: the provider's attributes; only the name after a login without a provider.
 */
export function describeProfile({ username, roles, oauth2 }: Principal) {
  const greeting = { message: 'OAuth2 Authentication Demo', user: username }
  if (!oauth2) return { ...greeting, authorities: roles.map((authority) => ({ authority })) }
  const { provider, email, name, picture, attributes } = oauth2
  return { ...greeting, provider, email, name, picture, attributes: byName(attributes) }
}

/** Stored maps have no order; an answer sorts them by name. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, byName(member)]))
}

/**
 * The answer of `GET /api/oauth2/steps`, its members in the order in which they are declared: a stored map has none.
 * @throws ServiceError `LOGIN_STEPS_NOT_FOUND` for a session that did not begin with a provider
 */
export function describeSteps({ oauth2 }: Principal) {
  if (!oauth2?.login) throw fail('LOGIN_STEPS_NOT_FOUND')
  const { provider, login } = oauth2
  return { provider, at: login.at, steps: login.steps.map(inOrder) }
}

function inOrder({ name, method, url, sent, answer, checks }: LoginStep): LoginStep {
  const received = answer && { answer: { status: answer.status, fields: answer.fields.map(fieldInOrder) } }
  const held = checks.map(({ name: check, result, value }) => ({ name: check, result, value }))
  return { name, method, url, sent: sent.map(fieldInOrder), ...received, checks: held }
}

function fieldInOrder({ name, value }: LoginField): LoginField {
  return { name, value }
}
