import { Role as Message } from '../../../proto/gen/gatehouse/v1/role_pb.ts'
import type { Role } from '../../users/role.ts'

const ROLES = { ROLE_ADMIN: Message.ADMIN, ROLE_USER: Message.USER } as const satisfies Record<Role, Message>

export function rolesOf(authorities: readonly { readonly authority: Role }[]): Message[] {
  return authorities.map(({ authority }) => ROLES[authority])
}
