import { describe, expect, it } from 'vitest'
import { type EndpointName, ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { ServiceError } from '../../../../lib/errors.ts'
import { accessRefusalOf, authorize } from '../../../../lib/http/middleware/authorize.ts'
import type { Role } from '../../../../lib/users/role.ts'
import { START } from '../../../support/fakes/clock.ts'
import { httpEvent } from '../../../support/fakes/http.ts'

const CREATE = "hasRole('ADMIN') and hasPermission(null, 'User', 'CREATE')"
const DELETE = "hasRole('ADMIN') and hasPermission(#userId, 'User', 'DELETE')"

describe('the refusal of an access decision', () => {
  it.each<[EndpointName, string, string, 'role-missing' | 'permission-missing', readonly Role[], string, string]>([
    ['usersCreate', 'POST', '/api/users', 'role-missing', ['ROLE_USER'], CREATE, "hasRole('ADMIN')"],
    [
      'usersDelete',
      'DELETE',
      '/api/users/7',
      'permission-missing',
      ['ROLE_ADMIN'],
      DELETE,
      "hasPermission(#userId, 'User', 'DELETE')",
    ],
  ])(
    'of %s is "Method access denied" with the half that failed',
    (name, method, path, verdict, held, expression, failedCondition) => {
      const refusal = accessRefusalOf(verdict, httpEvent({ method, path }), ROUTES[name], held)
      expect([refusal.status, refusal.message]).toEqual([403, 'Method access denied'])
      expect(refusal.details).toEqual({
        methodSecurity: true,
        expression,
        evaluationResult: false,
        failedCondition,
        requiredRole: 'ROLE_ADMIN',
        userRoles: held,
        resource: path,
        action: method,
      })
    },
  )
})

it.each([
  [300_000, 'goes through'],
  [300_001, { maxAgeSeconds: 300, reason: 'The login is too old' }],
])('a new API key, %i milliseconds after the login: %j', (age, outcome) => {
  const principal = { roles: ['ROLE_ADMIN'], tokenIssuedAt: new Date(START.getTime() - age) }
  const { before } = authorize(ROUTES.keysCreate, { clock: { now: () => START } })
  const attempt = () => {
    try {
      before?.({ event: httpEvent({ method: 'POST', path: '/api/keys' }), context: { principal } } as never)
      return 'goes through'
    } catch (error) {
      return (error as ServiceError).details
    }
  }
  expect(attempt()).toEqual(typeof outcome === 'string' ? outcome : expect.objectContaining(outcome))
})
