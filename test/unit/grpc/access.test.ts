import { describe, expect, it } from 'vitest'
import { authorize, demandOf, NAMED_PATHS } from '../../../lib/grpc/access.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { SecureService } from '../../../proto/gen/gatehouse/v1/secure_pb.ts'
import { WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { Health } from '../../../proto/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'

const SERVICES = [AuthService, SecureService, WebhookEventService, Health, ServerReflection]
const PATHS = SERVICES.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`))

describe('the allowed callers of a method', () => {
  it.each([
    ['/gatehouse.v1.WebhookEventService/GetWebhookEvent', 'ROLE_ADMIN'],
    ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'authenticated'],
    ['/gatehouse.v1.Anything/New', 'ROLE_ADMIN'],
    ['//gatehouse.v1.SecureService/PublicHello', 'ROLE_ADMIN'],
    ['/gatehouse.v1.SecureService/publicHello', 'ROLE_ADMIN'],
    ['__proto__', 'ROLE_ADMIN'],
  ])('%s: %s', (path, demand) => {
    expect(demandOf(path)).toBe(demand)
  })

  it('each named path is served', () => {
    expect(NAMED_PATHS.filter((path) => !PATHS.includes(path))).toEqual([])
  })

  it('G06 of the served methods, only the greeting and the health are for anybody', () => {
    expect(PATHS.filter((path) => ['public', 'optional'].includes(demandOf(path)))).toEqual([
      '/gatehouse.v1.SecureService/PublicHello',
      '/grpc.health.v1.Health/Check',
      '/grpc.health.v1.Health/List',
      '/grpc.health.v1.Health/Watch',
    ])
  })
})

describe('channels-8: the access decision on gRPC', () => {
  const [ANYBODY, ANY_TOKEN, USER, ADMIN] = [
    '/gatehouse.v1.SecureService/PublicHello',
    '/gatehouse.v1.AuthService/WhoAmI',
    '/gatehouse.v1.SecureService/UserSecure',
    '/gatehouse.v1.SecureService/AdminSecure',
  ]

  it('a public method accepts every caller', () => {
    expect(() => authorize(undefined, ANYBODY)).not.toThrow()
  })

  it.each([ANY_TOKEN, USER, ADMIN])('%s refuses a caller who is not authenticated', (path) => {
    expect(() => authorize(undefined, path)).toThrow(expect.objectContaining({ code: 'AUTHENTICATION_REQUIRED' }))
  })

  it.each([
    [ANY_TOKEN, 'ROLE_USER'],
    [USER, 'ROLE_USER'],
    [USER, 'ROLE_ADMIN'],
    [ADMIN, 'ROLE_ADMIN'],
  ] as const)('%s accepts %s', (path, role) => {
    expect(() => authorize(tokenHolder(role), path)).not.toThrow()
  })

  it('a user is refused where an admin is required, with the required and the present role', () => {
    const details = { requiredRole: 'ROLE_ADMIN', userRoles: ['ROLE_USER'], resource: ADMIN, action: 'AdminSecure' }
    expect(() => authorize(tokenHolder('ROLE_USER'), ADMIN)).toThrow(
      expect.objectContaining({ code: 'ROLE_REQUIRED', details }),
    )
  })
})
