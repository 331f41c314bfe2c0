import { emfMetrics } from '../../../lib/adapters/emf/metrics.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { createStrangers, type Strangers } from '../../../lib/runtime/strangers.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'

/** All clients of a measurement come from one address, and many at a time. */
export function strangers(channel: string): Strangers {
  const limits = { inAll: 10_000, perAddress: 10_000 }
  const log = consoleLog(systemClock.now)
  const metrics = emfMetrics('bench')
  return createStrangers(channel, { limits, trustedProxies: NO_NETWORKS, timers: systemTimers, log, metrics })
}
