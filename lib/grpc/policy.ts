import { type AccessRule, decide } from '../auth/access.ts'
import type { Principal } from '../auth/principal.ts'
import type { TrailAction } from '../contract/trail-actions.ts'
import { fail } from '../errors.ts'
import type { Role } from '../users/role.ts'

/** Who may call a method: everybody; everybody, but with a valid token for longer; any valid token; or a role. */
type Demand = 'public' | 'optional' | 'authenticated' | Role

/** A method that is not listed here requires ROLE_ADMIN. */
const DEMANDS = new Map<string, Demand>([
  ['/gatehouse.v1.AuthService/WhoAmI', 'authenticated'],
  ['/gatehouse.v1.SecureService/PublicHello', 'public'],
  ['/gatehouse.v1.SecureService/UserSecure', 'ROLE_USER'],
  ['/grpc.health.v1.Health/Check', 'public'],
  ['/grpc.health.v1.Health/List', 'public'],
  ['/grpc.health.v1.Health/Watch', 'optional'],
  ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'authenticated'],
])

/** The methods for which an API key suffices, in place of the role. */
const OPEN_TO_KEYS: ReadonlySet<string> = new Set([
  '/gatehouse.v1.WebhookEventService/GetWebhookEvent',
  '/gatehouse.v1.WebhookEventService/ListWebhookEvents',
  '/gatehouse.v1.WebhookEventService/WatchWebhookEvents',
])

/** Calls that read once: for them a token is good until it ends. A stream could outlast its account. */
const READING: ReadonlySet<string> = new Set([
  '/gatehouse.v1.AuthService/WhoAmI',
  '/gatehouse.v1.SecureService/AdminSecure',
  '/gatehouse.v1.SecureService/UserSecure',
  '/gatehouse.v1.WebhookEventService/GetWebhookEvent',
  '/gatehouse.v1.WebhookEventService/ListWebhookEvents',
])

/** The actions of methods that the audit trail records even if their role is missing. */
const RECORDED = new Map<string, TrailAction>([
  ['/gatehouse.v1.WebhookEventService/RetryWebhookEvent', 'event.retried'],
])

export const NAMED_PATHS: readonly string[] = [
  ...new Set([...DEMANDS.keys(), ...OPEN_TO_KEYS, ...READING, ...RECORDED.keys()]),
]

export function recordedActionOf(path: string): TrailAction | undefined {
  return RECORDED.get(path)
}

export function isReading(path: string): boolean {
  return READING.has(path)
}

export function isOpenToKeys(path: string): boolean {
  return OPEN_TO_KEYS.has(path)
}

export function demandOf(path: string): Demand {
  return DEMANDS.get(path) ?? 'ROLE_ADMIN'
}

/**
 * The access decision (auth-1).
 * @throws ServiceError `AUTHENTICATION_REQUIRED`, `ROLE_REQUIRED`
 */
export function authorize(principal: Principal | undefined, path: string): void {
  const demand = demandOf(path)
  if (demand === 'public' || demand === 'optional') return
  const requirement: AccessRule = demand === 'authenticated' ? {} : { role: demand }
  const { verdict } = decide(principal, { ...requirement, isOpenToKeys: isOpenToKeys(path) })
  if (verdict === 'granted') return
  if (!principal) throw fail('AUTHENTICATION_REQUIRED')
  const [, , action = ''] = path.split('/')
  throw fail('ROLE_REQUIRED', { requiredRole: demand, userRoles: principal.roles, resource: path, action })
}
