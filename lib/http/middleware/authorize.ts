import { type AccessVerdict, accessRuleOf, decide, type Permits } from '../../auth/access.ts'
import { loginOf } from '../../auth/principal.ts'
import type { Route } from '../../contract/route.ts'
import { fail, type ServiceError } from '../../errors.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Role } from '../../users/role.ts'
import type { HttpEvent } from '../message.ts'
import type { Middleware } from './call.ts'

/**
 * Lets through whom the access rule of a route grants it (auth-1), if they logged in lately where that is wanted.
 * @param permits the permissions of roles; none if absent
 */
export function authorize(route: Route, { clock, permits }: { clock: Clock; permits?: Permits }): Middleware {
  const rule = accessRuleOf(route)
  const maxAge = route.loginWithinSeconds
  return {
    before({ event, context: { principal } }) {
      const { verdict } = decide(principal, rule, permits)
      if (verdict !== 'granted') throw accessRefusalOf(verdict, event, route, principal?.roles ?? [])
      const loginAt = principal && loginOf(principal)
      if (maxAge && !(loginAt && clock.now().getTime() - loginAt.getTime() <= maxAge * 1000))
        throw loginTooOld(loginAt, maxAge)
    },
  }
}

export function loginTooOld(loginAt: Date | undefined, maxAgeSeconds: number): ServiceError {
  const loggedInAt = loginAt?.toISOString() ?? null
  return fail('LOGIN_TOO_OLD', { reason: 'The login is too old', maxAgeSeconds, loggedInAt })
}

/** The halves of an endpoint's method-security expression, as Spring's expression language would spell them. */
function halvesOf({ access, path }: Route): { readonly role: string; readonly permission: string } | undefined {
  if (typeof access !== 'object' || !access.permission) return undefined
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? []
  const target = parameter === undefined ? 'null' : `#${parameter}`
  const { name, on } = access.permission
  return {
    role: `hasRole('${access.role.replace('ROLE_', '')}')`,
    permission: `hasPermission(${target}, '${on}', '${name}')`,
  }
}

const FAILED = { 'role-missing': 'role', 'permission-missing': 'permission' } as const

/**
 * The refusal for a verdict (auth-1): 401, or 403 with what was wanted and what is held. Where a permission is
 * wanted, it is that of the method security (http-27).
 */
export function accessRefusalOf(
  verdict: Exclude<AccessVerdict, 'granted'>,
  { rawPath, requestContext }: Pick<HttpEvent, 'rawPath' | 'requestContext'>,
  route: Route,
  held: readonly Role[],
): ServiceError {
  if (verdict === 'unauthenticated') return fail('AUTHENTICATION_REQUIRED')
  const requiredRole = typeof route.access === 'object' ? route.access.role : ''
  const common = { requiredRole, userRoles: held, resource: rawPath, action: requestContext.http.method }
  const halves = halvesOf(route)
  if (!halves) return fail('ROLE_REQUIRED', common)
  return fail('METHOD_ACCESS_DENIED', {
    methodSecurity: true,
    expression: `${halves.role} and ${halves.permission}`,
    evaluationResult: false,
    failedCondition: halves[FAILED[verdict]],
    ...common,
  })
}
