import type { Principal } from '../auth/principal.ts'
import { DESTINATION_NAME } from '../contract/requests/fields.ts'
import { fail } from '../errors.ts'
import { DEAD_DELIVERIES, OWN_NOTICES, type Topic } from '../messages/message.ts'
import { type Role, satisfies } from '../users/role.ts'

export type Action = 'SUBSCRIBE' | 'SEND'

interface Destination {
  /** As a description spells it: a name in braces is any text that the pattern allows there. */
  readonly address: string
  readonly pattern: RegExp
  /** The role that each action takes; an action that is not here is closed to all. */
  readonly roles: Readonly<Partial<Record<Action, Role>>>
  /** Whether an API key is enough to subscribe, in place of the role. */
  readonly isOpenToKeys?: boolean
  /** Whether each user has an own destination of that name, which no other user reaches. */
  readonly isOwn: boolean
}

export const WEBHOOKS = '/topic/webhooks'
export const RENEWAL = '/app/token'

/** A destination that is not listed here is closed to all. Of those whose patterns hold, the first counts. */
export const DESTINATIONS = {
  public: {
    address: '/topic/public/{name}',
    pattern: new RegExp(`^/topic/public/${DESTINATION_NAME}$`),
    roles: { SUBSCRIBE: 'ROLE_USER', SEND: 'ROLE_USER' },
    isOwn: false,
  },
  webhooks: {
    address: WEBHOOKS,
    pattern: /^\/topic\/webhooks$/,
    roles: { SUBSCRIBE: 'ROLE_ADMIN' },
    isOpenToKeys: true,
    isOwn: false,
  },
  deliveries: {
    address: DEAD_DELIVERIES,
    pattern: /^\/topic\/deliveries$/,
    roles: { SUBSCRIBE: 'ROLE_ADMIN' },
    isOwn: false,
  },
  token: {
    address: RENEWAL,
    pattern: /^\/app\/token$/,
    roles: { SEND: 'ROLE_USER' },
    isOwn: true,
  },
  notices: {
    address: OWN_NOTICES,
    pattern: /^\/user\/queue\/notices$/,
    roles: { SUBSCRIBE: 'ROLE_USER' },
    isOwn: true,
  },
  own: {
    address: '/user/queue/{name}',
    pattern: new RegExp(`^/user/queue/${DESTINATION_NAME}$`),
    roles: { SUBSCRIBE: 'ROLE_USER', SEND: 'ROLE_USER' },
    isOwn: true,
  },
} as const satisfies Record<string, Destination>

/**
 * The topic behind a destination. Its owner is taken from the credentials, never from the frame.
 * @throws ServiceError `ROLE_REQUIRED`, `DESTINATION_CLOSED`
 */
export function topicOf(
  destination: string,
  action: Action,
  { username, uid = username, roles, key }: Principal,
): Topic {
  const rule = Object.values<Destination>(DESTINATIONS).find(({ pattern }) => pattern.test(destination))
  const requiredRole = rule?.roles[action]
  const isClosed = key !== undefined && !rule?.isOpenToKeys
  if (!rule || requiredRole === undefined || isClosed)
    throw fail('DESTINATION_CLOSED', { resource: destination, action })
  if (!key && !satisfies(roles, requiredRole)) {
    throw fail('ROLE_REQUIRED', { requiredRole, userRoles: roles, resource: destination, action })
  }
  return rule.isOwn ? { destination, user: uid } : { destination }
}
