import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { describePrincipal } from '../../auth/principal.ts'
import { callerOf } from '../call.ts'
import { serve } from '../serve.ts'
import { rolesOf } from './roles.ts'

export const authService = serve(AuthService, {
  whoAmI(_, call) {
    const principal = callerOf(call)
    const { authenticated, username, authorities, authType, principalType } = describePrincipal(principal)
    const { tokenExpiresAt } = principal
    return {
      authenticated,
      username,
      authorities: rolesOf(authorities),
      authType,
      principalType,
      ...(tokenExpiresAt && { tokenExpiresAt: timestampFromDate(tokenExpiresAt) }),
    }
  },
})
