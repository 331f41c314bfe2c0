import type { Caller } from './callers.ts'
import type { Refusal } from './refusals.ts'

/** The two endpoints whose method is secured: a request that no body gets through, and what is asked of its sender. */
export const SECURED = [
  { path: '/api/users', request: postUser({}), permission: "hasPermission(null, 'User', 'CREATE')" },
  {
    path: '/api/users/somebody',
    request: { method: 'DELETE' },
    permission: "hasPermission(#userId, 'User', 'DELETE')",
  },
] as const

const ROLE = "hasRole('ADMIN')"

/** The refusal of such an endpoint to somebody whose role or permission is missing. */
export function methodDenied(
  { path, request, permission }: (typeof SECURED)[number],
  { roles: userRoles }: Caller,
  missing: 'role' | 'permission',
): Refusal {
  return {
    status: 403,
    message: 'Method access denied',
    path,
    details: {
      methodSecurity: true,
      expression: `${ROLE} and ${permission}`,
      evaluationResult: false,
      failedCondition: missing === 'role' ? ROLE : permission,
      requiredRole: 'ROLE_ADMIN',
      userRoles,
      resource: path,
      action: request.method,
    },
  }
}

export const PASSWORD = 'a password of 24 letters'

export function newUser(username = `u-${crypto.randomUUID()}`, role = 'ROLE_USER') {
  return { username, password: PASSWORD, role }
}

export function postUser(user: object) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(user) }
}
