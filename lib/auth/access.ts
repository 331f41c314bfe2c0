import type { Route } from '../contract/route.ts'
import { type Role, satisfies } from '../users/role.ts'
import type { Principal } from './principal.ts'

/** What a secured request must have; without a demand, any valid credentials suffice. */
export interface AccessRule {
  readonly role?: Role
  readonly permission?: Permission
  /** Whether an API key is enough, in place of a role. */
  readonly isOpenToKeys?: boolean
}

export interface Permission {
  readonly name: string
  /** The type of resource. */
  readonly on: string
}

export type AccessVerdict = 'granted' | 'unauthenticated' | 'role-missing' | 'permission-missing'

export interface AccessDecision {
  /** The step that decided (auth-1). */
  readonly step: 1 | 2 | 3 | 4 | 5 | 6
  readonly verdict: AccessVerdict
}

/** Says which permissions the held roles carry. */
export type Permits = (held: readonly Role[], permission: Permission) => boolean

interface Step extends AccessDecision {
  readonly decides: (principal: Principal | undefined, requirement: AccessRule, permits: Permits) => boolean
}

/** The first step whose condition holds decides (auth-1 to auth-7). */
const STEPS: readonly Step[] = [
  { step: 1, verdict: 'unauthenticated', decides: (principal) => principal === undefined },
  { step: 2, verdict: 'granted', decides: (_, { role, permission }) => role === undefined && permission === undefined },
  {
    step: 2,
    verdict: 'granted',
    decides: (principal, { isOpenToKeys }) => isOpenToKeys === true && principal?.key !== undefined,
  },
  {
    step: 3,
    verdict: 'role-missing',
    decides: (principal, { role }) => role !== undefined && !satisfies(principal?.roles ?? [], role),
  },
  { step: 4, verdict: 'granted', decides: (_, { permission }) => permission === undefined },
  {
    step: 5,
    verdict: 'permission-missing',
    decides: (principal, { permission }, permits) =>
      permission !== undefined && !permits(principal?.roles ?? [], permission),
  },
]

const ALL_CHECKS_PASS: AccessDecision = { step: 6, verdict: 'granted' }

/** The access decision (auth-1). A permission without a table that grants it is refused. */
export function decide(
  principal: Principal | undefined,
  requirement: AccessRule,
  permits: Permits = () => false,
): AccessDecision {
  const { step, verdict } = STEPS.find(({ decides }) => decides(principal, requirement, permits)) ?? ALL_CHECKS_PASS
  return { step, verdict }
}

/** Whether the access decision (auth-1) is made at all. */
export function isGuarded({ access }: Route): boolean {
  return access !== 'public' && access !== 'signature'
}

/** What a guarded endpoint demands, beyond that the caller is authenticated. */
export function accessRuleOf({ access, credentials }: Route): AccessRule {
  const demand = typeof access === 'object' ? access : {}
  return { ...demand, isOpenToKeys: credentials === 'any-or-key' }
}

/** Role → type of resource → the permissions on it. */
export type PermissionTable = Readonly<Partial<Record<Role, Readonly<Record<string, readonly string[]>>>>>

/** Whether one of the held roles carries the permission (auth-6). */
export function permitsOf(table: PermissionTable): Permits {
  return (held, { name, on }) => held.some((role) => table[role]?.[on]?.includes(name) === true)
}
