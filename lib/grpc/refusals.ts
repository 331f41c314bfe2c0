import type { StatusObject } from '@grpc/grpc-js'
import { ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import { statusOf } from './status.ts'

/** Turns whatever a call threw into its status, and logs it. */
export type Refuse = (thrown: unknown, path: string) => StatusObject

export function refusals(log: Log): Refuse {
  return (thrown, path) => {
    const error = thrown instanceof ServiceError ? thrown : new ServiceError('UNEXPECTED', undefined, { cause: thrown })
    const level = error.status < 500 ? 'info' : 'error'
    log[level]('call refused', { code: error.code, path, ...(error.cause !== undefined && { cause: error.cause }) })
    return statusOf(error)
  }
}
