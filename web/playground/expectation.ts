import type { ConsoleFacts } from '../../lib/contract/console.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { COUNTING, isAccepted, type Way } from '../callers/ways.ts'

/** A call to an endpoint. */
export interface TriedCall {
  readonly route: Route
  readonly way: Way
  /** The caller's roles, if the credentials are valid. */
  readonly roles: readonly string[]
}

type Server = Pick<ConsoleFacts, 'accepts' | 'permissions'>

interface Rule {
  readonly status: number | 'granted'
  readonly holds: (attempt: TriedCall, server: Server) => boolean
}

/** A role, and those that it satisfies (spec 1.4). */
const SATISFIES: Readonly<Record<string, readonly string[]>> = {
  ROLE_ADMIN: ['ROLE_ADMIN', 'ROLE_USER'],
  ROLE_USER: ['ROLE_USER'],
}

/** Spec 3.2 from the caller's view: the first rule that matches decides the status. */
const RULES: readonly Rule[] = [
  { status: 'granted', holds: ({ route }) => route.access === 'public' },
  { status: 401, holds: ({ route, way }, { accepts }) => !counts(route, way) || !isAccepted(way, accepts) },
  { status: 403, holds: ({ route, roles }) => !hasRole(route, roles) },
  { status: 403, holds: ({ route, roles }, { permissions }) => !hasPermission(route, roles, permissions) },
]

/**
 * The status that an endpoint has to answer with.
 * @param granted the status that a caller with access receives
 */
export function expectedStatus(attempt: TriedCall, granted: number, server: Server): number {
  const { status } = RULES.find(({ holds }) => holds(attempt, server)) ?? { status: 'granted' }
  return status === 'granted' ? granted : status
}

function counts({ credentials = 'any' }: Route, way: Way): boolean {
  return COUNTING[credentials].includes(way)
}

function hasRole({ access }: Route, roles: readonly string[]): boolean {
  return typeof access !== 'object' || roles.some((role) => SATISFIES[role]?.includes(access.role))
}

function hasPermission({ access }: Route, roles: readonly string[], permissions: Server['permissions']): boolean {
  if (typeof access !== 'object' || !access.permission) return true
  const { name, on } = access.permission
  return roles.some((role) => permissions[role]?.[on]?.includes(name))
}
