import type { Metadata } from '@grpc/grpc-js'
import type { Principal } from '../auth/principal.ts'
import { fail } from '../errors.ts'

/** What a method knows of a call, in addition to its message. */
export interface CallContext {
  /** Undefined for a method that is open to everybody. */
  readonly principal: Principal | undefined
  /** The address of the caller. */
  from(): string
  /** Is aborted as soon as nothing more can be sent: the call ended, its caller disconnected, its token expired. */
  signal(): AbortSignal
}

const CALL = Symbol('call')

type Kept = Metadata & { [CALL]?: CallContext }

/** The interceptor passes the context of a call to its handler: both receive the same metadata object. */
export function keepCall(metadata: Kept, call: CallContext): void {
  metadata[CALL] = call
}

/** @throws Error for a call that did not pass the interceptor */
export function callOf({ [CALL]: call }: Kept): CallContext {
  if (call) return call
  throw new Error('the call was not accepted')
}

/** @throws ServiceError `AUTHENTICATION_REQUIRED` */
export function callerOf({ principal }: CallContext): Principal {
  if (principal) return principal
  throw fail('AUTHENTICATION_REQUIRED')
}
