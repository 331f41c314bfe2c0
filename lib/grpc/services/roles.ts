import { Role as Message } from '../../../proto/gen/gatehouse/v1/role_pb.ts'
import type { Role } from '../../users/role.ts'

const ROLES = { ROLE_ADMIN: Message.ADMIN, ROLE_USER: Message.USER } as const satisfies Record<Role, Message>

export function rolesOf(roles: readonly Role[]): Message[] {
  return roles.map((role) => ROLES[role])
}
