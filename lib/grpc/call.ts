import type { Metadata } from '@grpc/grpc-js'
import type { Principal } from '../auth/principal.ts'
import { fail } from '../errors.ts'

/** What is known of a call besides its message. */
export interface CallContext {
  /** Undefined where anybody may call. */
  readonly principal: Principal | undefined
  /** The address of the caller. */
  from(): string
  /** Is aborted as soon as nothing more can be sent: the call ended, its caller went, its token expired. */
  signal(): AbortSignal
}

const CALL = Symbol('call')

type Kept = Metadata & { [CALL]?: CallContext }

/** The interceptor hands a call over to its handler: both are given the very same metadata. */
export function keepCall(metadata: Kept, call: CallContext): void {
  metadata[CALL] = call
}

/** @throws Error for a call that did not come through the interceptor */
export function callOf({ [CALL]: call }: Kept): CallContext {
  if (call) return call
  throw new Error('the call was not let in')
}

/** @throws ServiceError `AUTHENTICATION_REQUIRED` */
export function callerOf({ principal }: CallContext): Principal {
  if (principal) return principal
  throw fail('AUTHENTICATION_REQUIRED')
}
