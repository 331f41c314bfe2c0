import type { StatusObject } from '@grpc/grpc-js'
import { ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { SlowClient } from '../runtime/slow-client.ts'
import { statusOf } from './status.ts'

/** Turns a thrown error of a call into its status, logs and counts it. */
export type Refuse = (thrown: unknown, path: string) => StatusObject

export function refusals(log: Log, metrics: Pick<Metrics, 'count'>): Refuse {
  return (thrown, path) => {
    const error = thrown instanceof ServiceError ? thrown : new ServiceError('UNEXPECTED', undefined, { cause: thrown })
    const { code, status, cause } = error
    metrics.count('ChannelRefused', { channel: 'grpc', reason: code })
    if (cause instanceof SlowClient) {
      metrics.count('SlowClients')
      log.info('call refused', { code, path, reason: cause.message })
    } else {
      log[status < 500 ? 'info' : 'error']('call refused', { code, path, ...(cause !== undefined && { cause }) })
    }
    return statusOf(error)
  }
}
