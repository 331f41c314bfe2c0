import { SecureService } from '../../../proto/gen/gatehouse/v1/secure_pb.ts'
import { greet, greetAnybody } from '../../auth/principal.ts'
import { type CallContext, callerOf } from '../call.ts'
import { serve } from '../serve.ts'
import { rolesOf } from './roles.ts'

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
