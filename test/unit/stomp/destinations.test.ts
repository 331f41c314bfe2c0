import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { type Action, topicOf } from '../../../lib/stomp/destinations.ts'
import type { Role } from '../../../lib/users/role.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'

const callerWith = (role: Role): Principal => ({ ...tokenHolder(role), uid: 'id-1' })

const NAME = 'x'.repeat(200)

describe('a destination', () => {
  it.each<[Role, Action, string]>([
    ['ROLE_USER', 'SUBSCRIBE', '/topic/public/a'],
    ['ROLE_USER', 'SEND', '/topic/public/a'],
    ['ROLE_ADMIN', 'SEND', `/topic/public/${NAME}`],
    ['ROLE_ADMIN', 'SUBSCRIBE', '/topic/public/a/b.c~d-e_f'],
    ['ROLE_ADMIN', 'SUBSCRIBE', '/topic/webhooks'],
    ['ROLE_ADMIN', 'SUBSCRIBE', '/topic/deliveries'],
  ])('is open to %s for %s: %s, and public', (role, action, destination) => {
    expect(topicOf(destination, action, callerWith(role))).toEqual({ destination })
  })

  it.each<[Action, string]>([
    ['SUBSCRIBE', '/user/queue/a'],
    ['SEND', '/user/queue/a'],
    ['SEND', `/user/queue/${NAME}`],
  ])('below /user/queue belongs to the caller for %s: %s', (action, destination) => {
    expect(topicOf(destination, action, callerWith('ROLE_USER'))).toEqual({ destination, user: 'id-1' })
  })

  it('of webhook events is the only one that is open to a key', () => {
    const machine: Principal = {
      username: 'key:k',
      roles: [],
      authType: 'API_KEY',
      principalType: 'ApiKey',
      key: { id: 'k' },
    }
    expect(topicOf('/topic/webhooks', 'SUBSCRIBE', machine)).toEqual({ destination: '/topic/webhooks' })
    for (const [action, destination] of [
      ['SEND', '/topic/webhooks'],
      ['SUBSCRIBE', '/topic/deliveries'],
      ['SUBSCRIBE', '/topic/public/a'],
      ['SEND', '/topic/public/a'],
      ['SUBSCRIBE', '/user/queue/a'],
      ['SEND', '/user/queue/a'],
    ] as const) {
      expect(() => topicOf(destination, action, machine)).toThrow(
        expect.objectContaining({ code: 'DESTINATION_CLOSED', details: { resource: destination, action } }),
      )
    }
  })

  it('that requires a higher role names it', () => {
    expect(() => topicOf('/topic/webhooks', 'SUBSCRIBE', callerWith('ROLE_USER'))).toThrow(
      expect.objectContaining({
        code: 'ROLE_REQUIRED',
        details: {
          requiredRole: 'ROLE_ADMIN',
          userRoles: ['ROLE_USER'],
          resource: '/topic/webhooks',
          action: 'SUBSCRIBE',
        },
      }),
    )
  })

  it.each<[Action, string]>([
    ['SEND', '/topic/webhooks'],
    ['SUBSCRIBE', '/topic/webhooks/a'],
    ['SUBSCRIBE', '/topic/public/'],
    ['SUBSCRIBE', `/topic/public/${NAME}x`],
    ['SUBSCRIBE', '/topic/public/a b'],
    ['SEND', '/user/queue/'],
    ['SEND', `/user/queue/${NAME}x`],
    ['SEND', 'x/user/queue/a'],
    ['SEND', '/user/queue/a\n'],
    ['SEND', ''],
  ])('that is not on the list is closed for %s: %j', (action, destination) => {
    expect(() => topicOf(destination, action, callerWith('ROLE_ADMIN'))).toThrow(
      expect.objectContaining({ code: 'DESTINATION_CLOSED', details: { resource: destination, action } }),
    )
  })
})
