import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Trail } from './entry.ts'

interface FailureParts {
  readonly log: Log
  readonly metrics: Metrics
}

/** The same trail; a line that is missing is an error in the log, and counted for an alarm. */
export function tellingFailures({ record }: Trail, { log, metrics }: FailureParts): Trail {
  return {
    record: (entry) =>
      record(entry).catch((cause) => {
        log.error('a line of the audit trail is missing', { action: entry.action, cause })
        metrics.count('AuditFailed')
        throw cause
      }),
  }
}
