import type { Requirement } from '../auth/access.ts'
import type { Route } from '../endpoints/route.ts'

/** Whether the access decision of spec 3.2 is made at all. */
export function isGuarded({ access }: Route): boolean {
  return access !== 'public' && access !== 'signature'
}

/** What a guarded endpoint demands, beyond that the caller is authenticated. */
export function requirementOf({ access }: Route): Requirement {
  return typeof access === 'object' ? access : {}
}
