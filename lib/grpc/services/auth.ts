import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Role as Message } from '../../../proto/gen/gatehouse/v1/role_pb.ts'
import { SecureService } from '../../../proto/gen/gatehouse/v1/secure_pb.ts'
import { greet, greetAnybody } from '../../auth/principal.ts'
import type { Role } from '../../users/role.ts'
import { type CallContext, callerOf } from '../call.ts'
import { serve } from '../serve.ts'

export const authService = serve(AuthService, {
  whoAmI(_, call) {
    const { username, roles, authType, principalType, tokenExpiresAt } = callerOf(call)
    return {
      authenticated: true,
      username,
      authorities: rolesOf(roles),
      authType,
      principalType,
      ...(tokenExpiresAt && { tokenExpiresAt: timestampFromDate(tokenExpiresAt) }),
    }
  },
})

const ROLES = { ROLE_ADMIN: Message.ADMIN, ROLE_USER: Message.USER } as const satisfies Record<Role, Message>

function rolesOf(roles: readonly Role[]): Message[] {
  return roles.map((role) => ROLES[role])
}

/** The twins of the HTTP endpoints that greet. */
export const secureService = serve(SecureService, {
  publicHello: greetAnybody,
  userSecure: (_, call) => greeting(call),
  adminSecure: (_, call) => greeting(call),
})

function greeting(call: CallContext) {
  const principal = callerOf(call)
  const { message, user, authType } = greet(principal)
  return { message, user, authorities: rolesOf(principal.roles), authType }
}
