import type { Role } from '../users/role.ts'
import type { Permits } from './access.ts'

/** Role → type of resource → the permissions on it. */
export type PermissionTable = Readonly<Partial<Record<Role, Readonly<Record<string, readonly string[]>>>>>

/** Whether one of the held roles carries the permission (auth-6). */
export function permitsOf(table: PermissionTable): Permits {
  return (held, { name, on }) => held.some((role) => table[role]?.[on]?.includes(name) === true)
}
