import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { callerOf } from '../call.ts'
import { serve } from '../serve.ts'
import { rolesOf } from './roles.ts'

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
