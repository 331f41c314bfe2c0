import { NO_NETWORKS, networksOf } from '../../../lib/runtime/address.ts'
import { systemTimers, type Timers } from '../../../lib/runtime/async.ts'
import { type AnonymousClients, createAnonymousClients, type PlaceLimits } from '../../../lib/runtime/limits.ts'
import { type RecordingLog, recordingLog } from './log.ts'
import { type RecordingMetrics, recordingMetrics } from './metrics.ts'

interface Options extends Partial<PlaceLimits> {
  readonly proxies?: readonly string[]
  readonly timers?: Timers
  readonly log?: RecordingLog
  readonly metrics?: RecordingMetrics
}

/** The places of those without a token on a port that the log names `port`. */
export function anonymousFor(options: Options = {}): AnonymousClients {
  const {
    inAll = 1000,
    perAddress = 1000,
    proxies,
    timers = systemTimers,
    log = recordingLog(),
    metrics = recordingMetrics(),
  } = options
  const trustedProxies = proxies ? networksOf(proxies) : NO_NETWORKS
  return createAnonymousClients('port', { limits: { inAll, perAddress }, trustedProxies, timers, log, metrics })
}
